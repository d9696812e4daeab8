#include "batch/settings.h"

#include <algorithm>
#include <set>

#include "batch/folder.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

GivenOption given(const std::string& name, const std::vector<std::string>& values,
                  const std::string& origin) {
  const BindOption* option = find_bind_option(name);
  REQUIRE(option);
  return {static_cast<std::size_t>(option - bind_options().data()), values, origin};
}

std::string origin_of(const ResolvedSettings& resolved, const std::string& name) {
  return resolved.origins.at(given(name, {}, "").option);
}

void set(BindSettings& settings, const std::string& name, const std::vector<std::string>& values) {
  const BindOption* option = find_bind_option(name);
  REQUIRE(option);
  option->apply(settings, values);
}

/// A value of each option that differs from the default.
std::vector<std::string> other_values(const BindOption& option) {
  if (option.name == "forbid") return {"one*:two", "three [x] \\y:four,five"};
  if (option.name == "give") return {"mesh:one*=two", "material:a,b [x] \\y=c"};
  if (option.name == "alpha-joint") return {"one*=0.75", "two,three [x] \\y=0"};
  if (option.name == "lock") return {"one*", "mesh:two,three [x] \\y"};
  if (option.name == "clip") return {"walk", "idle"};
  static const ScratchFolder folder;
  if (option.name == "like") return {folder.write("a b.glb", "").string()};
  if (option.name == "edits") return {folder.write("a b.edits", "add point 0 0 0").string()};
  if (option.name == "influences") return {folder.write("a", "start a point 0 0 0").string()};
  if (option.name == "rules") return {folder.write("a.toml").string()};
  if (option.repeatable) return {"one*", "two,three [x] \\y"};
  if (option.is_flag) return {"true"};
  if (option.name == "asset-root") return {"."};
  if (option.name == "weights") return {"falloff"};
  if (option.name == "rig") return {"quadruped"};
  if (option.name == "springs") return {"auto"};
  if (option.name == "limit") return {"smooth"};
  if (option.name == "refine") return {"poses"};
  if (option.name == "skinning") return {"dual"};
  if (option.name == "joint-names") return {"ignore"};
  if (option.is_path) return {"rigs/a b.fbx"};
  if (option.name == "resolution") return {"64"};
  if (option.name == "alpha") return {"0.25"};
  if (option.name == "mirror-axis") return {"auto"};
  if (option.name == "falloff") return {"inverse-square"};
  if (option.name == "prune") return {"0.05"};
  if (option.name == "penalty") return {"7"};
  if (option.name == "max-influences") return {"all"};
  if (option.name == "engine") return {"godot"};
  if (option.name == "views") return {"+x,-z"};
  if (option.name == "winding") return {"off"};
  if (option.name == "leaf") return {"point"};
  if (option.name == "preset") return {"paper"};
  if (option.name == "distance") return {"path"};
  if (option.name == "rigid") return {"off"};
  if (option.name == "controls") return {"keep"};
  if (option.name == "outside") return {"snap"};
  if (option.name == "faces") return {"keep"};
  if (option.name == "touching") return {"join"};
  if (option.name == "volume") return {"per-mesh"};
  if (option.name == "existing") return {"fill"};
  if (option.name == "skeleton-scale") return {"2.54"};
  if (option.name == "units") return {"cm"};
  if (option.name == "max-joints") return {"12"};
  if (option.name == "twist") return {"2"};
  if (option.name == "device") return {"cpu"};
  if (option.name == "fail-on") return {"never"};
  FAIL("no value for " << option.name);
  return {};
}

}  // namespace

TEST_CASE("the values of an option give the same settings again") {
  for (const BindOption& option : bind_options()) {
    CAPTURE(option.name);
    BindSettings settings;
    const auto built_in = option.values(settings);
    const auto wanted = other_values(option);
    REQUIRE(built_in != wanted);
    option.apply(settings, wanted);
    CHECK(option.values(settings) == wanted);
    BindSettings again;
    option.apply(again, option.values(settings));
    CHECK(option.values(again) == wanted);
    // Presets and engines define the influence limit "auto".
    const bool shifts_others = option.name == "preset" || option.name == "engine";
    for (const BindOption& other : bind_options())
      if (other.name != option.name && !shifts_others)
        CHECK(other.values(settings) == other.values(BindSettings{}));
  }
}

TEST_CASE("options override the preset beside them") {
  BindSettings settings;
  set(settings, "preset", {"paper"});
  CHECK(settings.options.alpha == paper_options().alpha);
  CHECK(settings.options.distance == DistanceRule::path);
  const std::vector<GivenOption> rule = {given("alpha", {"0.4"}, "a"),
                                         given("preset", {"paper"}, "b")};
  const BindSettings resolved = resolve_settings({&rule}).settings;
  CHECK(resolved.options.alpha == 0.4);
  CHECK(resolved.options.components == ComponentRule::bend);
  // Arguments are relative to the preset: only options that differ from it are listed.
  CHECK(option_arguments(resolved) == std::vector<std::string>{"--preset=paper", "--alpha=0.4"});
}

TEST_CASE("option names and letters are unique, and errors begin with the flag") {
  std::set<std::string> names;
  std::set<char> letters;
  for (const BindOption& option : bind_options()) {
    CHECK(names.insert(option.name).second);
    for (const std::string& name : option.old_names) CHECK(names.insert(name).second);
    if (option.letter) CHECK(letters.insert(option.letter).second);
    if (option.repeatable || option.is_path) continue;
    BindSettings settings;
    const std::string message =
        message_of(ErrorKind::usage, [&] { option.apply(settings, {"no such value"}); });
    CHECK(message.starts_with("--" + option.name + ": "));
  }
  for (const std::string& name : run_flag_names()) CHECK(names.insert(name).second);
}

TEST_CASE("the first layer that gives an option wins, with its origin") {
  const SettingsLayer line = {given("alpha", {"0.9"}, "command line")};
  const SettingsLayer asset = {given("alpha", {"0.8"}, "asset"), given("penalty", {"8"}, "asset")};
  const SettingsLayer first = {given("penalty", {"6"}, "rule 1"),
                               given("leaf", {"point"}, "rule 1")};
  const SettingsLayer second = {given("leaf", {"ignore"}, "rule 2"),
                                given("meshes", {"a", "b"}, "rule 2")};
  const SettingsLayer defaults = {given("meshes", {"c"}, "defaults"),
                                  given("resolution", {"32"}, "defaults")};
  const ResolvedSettings resolved = resolve_settings({&line, &asset, &first, &second, &defaults});
  CHECK(resolved.settings.options.alpha == 0.9);
  CHECK(resolved.settings.options.penalty == 8.0);
  CHECK(resolved.settings.options.leaf == LeafRule::point);
  CHECK(resolved.settings.selection.meshes == std::vector<std::string>{"a", "b"});
  CHECK(resolved.settings.options.resolution == 32);
  CHECK(resolved.settings.options.max_influences == 4);
  CHECK(origin_of(resolved, "alpha") == "command line");
  CHECK(origin_of(resolved, "penalty") == "asset");
  CHECK(origin_of(resolved, "leaf") == "rule 1");
  CHECK(origin_of(resolved, "meshes") == "rule 2");
  CHECK(origin_of(resolved, "resolution") == "defaults");
  CHECK(origin_of(resolved, "max-influences") == "built in");
}

TEST_CASE("the text of options does not depend on how they were written") {
  BindSettings a, b;
  set(a, "alpha", {"0.5"});
  set(b, "alpha", {"5e-1"});
  set(a, "views", {"+x,-z"});
  set(b, "views", {"-z,+x"});
  set(a, "meshes", {"Body", "Head"});
  set(b, "meshes", {"Head", "Body", "Head"});
  CHECK(options_text(a) == options_text(b));
}

TEST_CASE(
    "the text of options changes with everything that affects the output, and with nothing else") {
  for (const BindOption& option : bind_options()) {
    CAPTURE(option.name);
    BindSettings settings;
    option.apply(settings, other_values(option));
    const bool same = options_text(settings) == options_text(BindSettings{});
    CHECK(same == (!option.affects_output || (option.is_path && !option.content)));
  }
}

TEST_CASE("old names and values of options mean the same as the new ones") {
  const auto settings_with = [](const char* name, const char* value) {
    BindSettings settings;
    set(settings, name, {value});
    return settings;
  };
  CHECK(settings_with("target", "godot").target == Target::godot);
  CHECK(settings_with("mirror", "x").rules.mirror == Mirror::x);
  CHECK(settings_with("falloff", "note").options.falloff == FalloffRule::note);
  CHECK(settings_with("touching", "part").options.touching == TouchRule::separate);
  CHECK(option_arguments(settings_with("mirror", "x")) ==
        std::vector<std::string>{"--mirror-axis=x"});
  CHECK(option_arguments(settings_with("falloff", "note")) ==
        std::vector<std::string>{"--falloff=inverse-square"});
}

TEST_CASE("the text of options keeps old names, so that stamps of earlier versions count") {
  BindSettings settings;
  set(settings, "falloff", {"inverse-square"});
  const std::string text = "\n" + options_text(settings);
  for (const char* line :
       {"\ntarget=none\n", "\nmirror=off\n", "\nfalloff=note\n", "\ntouching=part\n"})
    CHECK(text.find(line) != text.npos);
}

TEST_CASE("help ends with the built-in value, which no text repeats") {
  for (const BindOption& option : bind_options()) {
    CAPTURE(option.name);
    CHECK(option.help.find('[') == option.help.npos);
    const std::string built_in = joined_values(option.values(BindSettings{}));
    if (option.is_flag || built_in.empty()) {
      CHECK(help_of(option) == option.help);
    } else if (option.default_text.empty()) {
      CHECK(help_of(option) == option.help + " [" + built_in + "]");
    }
  }
  const BindOption& root = *find_bind_option("asset-root");
  CHECK(help_of(root, true) == root.help + " [the folder given, or the manifest's]");
}

TEST_CASE("ranges in the help are those that are checked") {
  for (const char* name : {"alpha", "penalty", "prune"}) {
    const BindOption& option = *find_bind_option(name);
    const std::size_t dots = option.type_name.find("..");
    REQUIRE(dots != option.type_name.npos);
    const std::string low = option.type_name.substr(0, dots);
    const std::string high = option.type_name.substr(dots + 2);
    BindSettings settings;
    CHECK_NOTHROW(option.apply(settings, {low}));
    CHECK_NOTHROW(option.apply(settings, {high}));
    CHECK_THROWS(option.apply(settings, {high + "1"}));
    CHECK_THROWS(option.apply(settings, {"-1"}));
  }
}

TEST_CASE("an option of the run has one row for each command") {
  std::set<std::string> rows;
  for (const RunOption& option : run_options()) {
    CAPTURE(option.row.name);
    const std::string command = option.command;
    for (const char* one : {"bind", "batch"})
      if (command.empty() || command == one) CHECK(rows.insert(one + option.row.name).second);
    CHECK(option.row.apply == nullptr);
    CHECK(option.row.help.find('[') == option.row.help.npos);
  }
}

TEST_CASE("no value passes for two") {
  BindSettings two, one;
  set(two, "meshes", {"a", "b"});
  for (const char* text : {"a\nmeshes=b", "a\\nmeshes=b", "a,b", "a b"}) {
    set(one, "meshes", {text});
    CHECK(options_text(one) != options_text(two));
  }
  BindSettings other;
  set(one, "meshes", {"a\nb"});
  set(other, "meshes", {"a\\nb"});
  CHECK(options_text(one) != options_text(other));
  set(one, "meshes", {});
  set(other, "meshes", {""});
  CHECK(options_text(one) != options_text(other));
}

TEST_CASE("options override rule files, wherever they are given") {
  const ScratchFolder folder;
  const std::string rules =
      folder.write("r.toml", "alpha = 0.9\npenalty = 8\nforbid = \"a:b\"").string();
  const SettingsLayer line = {given("rules", {rules}, "command line")};
  const SettingsLayer defaults = {given("alpha", {"0.1"}, "defaults"),
                                  given("preset", {"paper"}, "defaults")};
  const ResolvedSettings resolved = resolve_settings({&line, &defaults});
  CHECK(resolved.settings.options.alpha == 0.1);
  CHECK(resolved.settings.options.penalty == 8.0);
  CHECK(resolved.settings.options.leaf == paper_options().leaf);
  CHECK(origin_of(resolved, "alpha") == "defaults");
  CHECK(origin_of(resolved, "penalty") == rules + ":2");
  CHECK(origin_of(resolved, "rules") == "command line");
  CHECK(option_arguments(resolved.settings) ==
        std::vector<std::string>{"--preset=paper", "--penalty=8", "--forbid=a:b"});
}

TEST_CASE("the text of options knows the content of files of rules, and the order of gifts") {
  const ScratchFolder folder;
  BindSettings one, two;
  const std::string path = folder.write("e.edits", "add point 0 0 0").string();
  set(one, "edits", {path});
  folder.write("e.edits", "add point 0 0 1");
  set(two, "edits", {path});
  CHECK(options_text(one) != options_text(two));
  set(one, "edits", {folder.write("other.edits", "add point 0 0 1").string()});
  CHECK(options_text(one) == options_text(two));
  set(one, "give", {"mesh:a*=x", "mesh:ab=y"});
  set(two, "give", {"mesh:ab=y", "mesh:a*=x"});
  CHECK(options_text(one) != options_text(two));
  set(one, "give", {"mesh:a=b,mesh:c=d"});
  set(two, "give", {"mesh:a=b", "mesh:c=d"});
  CHECK(options_text(one) != options_text(two));
}

TEST_CASE("arguments list all options that differ from the defaults") {
  CHECK(option_arguments({}).empty());
  BindSettings settings;
  set(settings, "alpha", {"0.5"});
  set(settings, "exclude", {"a*", "b"});
  set(settings, "force", {"true"});
  CHECK(option_arguments(settings) ==
        std::vector<std::string>{"--alpha=0.5", "--exclude=a*", "--exclude=b", "--force"});
}

TEST_CASE("values that are numbers are distinguished from texts that look like one") {
  const auto is_number = [](const char* name, const char* value) {
    return is_number_value(*find_bind_option(name), value);
  };
  CHECK(is_number("resolution", "256"));
  CHECK(is_number("alpha", "1e-05"));
  CHECK(is_number("max-influences", "4"));
  CHECK_FALSE(is_number("max-influences", "all"));
  CHECK_FALSE(is_number("skeleton", "7"));
  CHECK_FALSE(is_number("meshes", "7"));
  CHECK_FALSE(is_number("views", "+x,+y"));
  CHECK_FALSE(is_number("winding", "on"));
}
