#include "batch/batch_plan.h"

#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "batch/folder.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

std::vector<BatchAsset> plan(const Names& inputs, const std::string& output = "out",
                             const SettingsLayer& line = {}) {
  return plan_batch(inputs, output, line).assets;
}

Names names_of(const std::vector<BatchAsset>& assets) {
  Names names;
  for (const BatchAsset& asset : assets) names.push_back(asset.name);
  return names;
}

SettingsLayer line(const std::string& name, const std::string& value) {
  const BindOption* option = find_bind_option(name);
  REQUIRE(option);
  return {{static_cast<std::size_t>(option - bind_options().data()), {value}, "command line"}};
}

std::string refusal(const Names& inputs, ErrorKind kind = ErrorKind::usage,
                    const std::string& output = "out") {
  return message_of(kind, [&] { plan(inputs, output); });
}

bool holds(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

}  // namespace

TEST_CASE("a folder is searched and its shape kept") {
  const WorkFolder folder;
  for (const char* name : {"art/b.glb", "art/a/x.FBX", "art/a/deep/er/y.gltf", "art/c.obj",
                           "art/readme.txt", "art/walk.bvh", "art/scene.blend", "art/y.bin",
                           "art/.git/z.glb", "art/.hidden.glb", "art/a b/\xC3\xBC\nq.glb"})
    folder.write(name);
  const auto assets = plan({"art"});
  CHECK(names_of(assets) ==
        Names{"a b/\xC3\xBC\nq.glb", "a/deep/er/y.gltf", "a/x.FBX", "b.glb", "c.glb"});
  for (const BatchAsset& asset : assets) {
    CHECK_FALSE(asset.named);
    CHECK(asset.output == "out/" + asset.name);
    CHECK(fs::exists(asset.input));
    const bool roots_itself = fs::path(asset.input).parent_path() == "art";
    for (std::size_t option = 0; option < bind_options().size(); ++option)
      CHECK(asset.origins[option] == (bind_options()[option].name == "asset-root" && !roots_itself
                                          ? "the folder of the batch"
                                          : "built in"));
  }
  CHECK(assets.back().input == "art/c.obj");
  for (const std::string& other : Names{"art/", "./art", folder.path().string() + "/art"})
    CHECK(names_of(plan({other})) == names_of(assets));
}

TEST_CASE("the output folder is no input") {
  const WorkFolder folder;
  folder.write("hero.glb");
  folder.write("out/hero.glb");
  folder.write("out/more/x.glb");
  CHECK(names_of(plan({"."})) == Names{"hero.glb"});
  CHECK(names_of(plan({"**/*.glb"})) == Names{"hero.glb"});
  CHECK(plan({"."}, folder.path() / "out").front().output == folder.path() / "out/hero.glb");
}

TEST_CASE("files and globs") {
  const WorkFolder folder;
  for (const char* name : {"art/x/a.fbx", "art/x/b.glb", "art/y/z/c.fbx", "art/d.fbx", "e [1].glb"})
    folder.write(name);
  CHECK(names_of(plan({"art/**/*.fbx"})) == Names{"d.fbx", "x/a.fbx", "y/z/c.fbx"});
  CHECK(names_of(plan({"art/*/*"})) == Names{"x/a.fbx", "x/b.glb"});
  CHECK(names_of(plan({"art/x/?.*", "art/d.fbx"})) == Names{"a.fbx", "b.glb", "d.fbx"});
  const auto files = plan({"art/y/z/c.fbx", "e [1].glb"});
  CHECK(names_of(files) == Names{"c.fbx", "e [1].glb"});
  CHECK(files[0].named);
  CHECK_FALSE(plan({"art/*.fbx"})[0].named);
  CHECK(plan({"art", "art/d.fbx"})[0].named);
  CHECK(plan({"art", "art/d.fbx"}).size() == 4);
  CHECK(refusal({"art/*.gxb"}) == "'art/*.gxb' matches no file that bind reads");
  CHECK(refusal({"nowhere/*.glb"}) == "'nowhere/*.glb' matches no file that bind reads");
  CHECK(refusal({"nowhere"}, ErrorKind::input) == "nowhere: no such file or folder");
}

TEST_CASE("a pattern with an extension accepts files that a folder search skips") {
  const WorkFolder folder;
  folder.write("art/a.bvh");
  folder.write("art/a.txt");
  CHECK(refusal({"art"}, ErrorKind::input) == "art: holds no file that bind reads");
  CHECK(names_of(plan({"art/*.bvh"})) == Names{"a.glb"});
  CHECK(holds(refusal({"art/*.txt"}), "matches no file"));
}

TEST_CASE("links neither loop nor double") {
  const WorkFolder folder;
  folder.write("art/x/a.glb");
  folder.write("art/x/deep/b.glb");
  folder.write("other/c.glb");
  folder.write("beside.glb");
  fs::create_directory_symlink(".", "art/self");
  fs::create_directory_symlink("..", "art/x/up");
  fs::create_directory_symlink("../../..", "art/x/deep/out_of_it");
  fs::create_directory_symlink("x", "art/again");
  fs::create_directory_symlink("../other", "art/other");
  fs::create_symlink("nowhere.glb", "art/dangling.glb");
  CHECK(names_of(plan({"art"})) == Names{"dangling.glb", "other/c.glb", "x/a.glb", "x/deep/b.glb"});
  fs::create_directory_symlink("art", "way");
  CHECK(plan({"way"}).size() == 4);
}

TEST_CASE("entries that are neither files nor links are skipped") {
  const WorkFolder folder;
  folder.write("art/a.glb");
  fs::create_directory("art/folder.glb");
  REQUIRE(::mkfifo("art/pipe.glb", 0600) == 0);
  CHECK(names_of(plan({"art"})) == Names{"a.glb"});
}

TEST_CASE("a folder that cannot be listed is an error") {
  const WorkFolder folder;
  folder.write("art/a.glb");
  folder.write("art/closed/b.glb");
  fs::permissions("art/closed", fs::perms::none);
  if (geteuid() != 0) CHECK(holds(refusal({"art"}, ErrorKind::input), "art/closed"));
  fs::permissions("art/closed", fs::perms::owner_all);
}

TEST_CASE("two assets with one output are refused, both named") {
  const WorkFolder folder;
  folder.write("art/hero.obj");
  folder.write("art/hero.glb");
  folder.write("more/hero.glb");
  const std::string clash = refusal({"art"});
  CHECK(holds(clash, "art/hero.obj"));
  CHECK(holds(clash, "art/hero.glb"));
  CHECK(holds(clash, "out/hero.glb"));
  const std::string folders = refusal({"art/*.glb", "more"});
  CHECK(holds(folders, "more/hero.glb"));
  CHECK(holds(folders, "art/hero.glb"));
}

TEST_CASE("an input is overwritten by force alone, and never by another's output") {
  const WorkFolder folder;
  folder.write("art/a.glb");
  CHECK(holds(refusal({"art"}, ErrorKind::usage, "art"), "--force"));
  CHECK(holds(refusal({"art"}, ErrorKind::usage, folder.path() / "x/../art"), "--force"));
  CHECK(plan({"art"}, "art", line("force", "true")).size() == 1);
  folder.write("a.glb");
  folder.write("m.toml",
               "inputs=['art/a.glb']\n[[asset]]\ninput='a.glb'\noutput='art/a.glb'\nforce=true\n"
               "[[asset]]\ninput='art/a.glb'\noutput='c.glb'\nforce=true\n");
  CHECK(holds(refusal({"m.toml"}, ErrorKind::usage, "."), "is an input of the batch"));
}

TEST_CASE("a skeleton of others is no asset, unless it is named") {
  const WorkFolder folder;
  for (const char* name : {"art/a.glb", "art/rig.fbx", "art/x/rig.fbx"}) folder.write(name);
  fs::create_symlink("rig.fbx", "art/link.fbx");
  const SettingsLayer rig = line("skeleton", "art/../art/rig.fbx");
  CHECK(names_of(plan({"art"}, "out", rig)) == Names{"a.glb", "x/rig.fbx"});
  CHECK(names_of(plan({"art", "art/rig.fbx"}, "out", rig)) ==
        Names{"a.glb", "rig.fbx", "x/rig.fbx"});
}

TEST_CASE("a manifest's assets, rules and defaults meet the command line") {
  const WorkFolder folder;
  for (const char* name : {"lib/art/hero.fbx", "lib/art/imp.fbx", "lib/props/box.glb",
                           "elsewhere/far.glb", "lib/rigs/biped.fbx"})
    folder.write(name);
  folder.write("lib/m.toml", R"(inputs = ["art", "props/*.glb", "../elsewhere"]
output = "build"
[defaults]
alpha = 0.2
penalty = 5
[[rule]]
match = "props/**"
skeleton = "rigs/biped.fbx"
alpha = 0.3
[[rule]]
match = "*.glb"
alpha = 0.4
penalty = 6
[[asset]]
input = "art/imp.fbx"
alpha = 0.5
name = "the imp"
[[asset]]
input = "art/imp.fbx"
output = "low/./imp.glb"
resolution = 64
[[asset]]
input = "rigs/biped.fbx"
output = "rigs/"
[[asset]]
input = "missing/gone.glb"
)");
  const auto assets = plan({"lib/m.toml"}, "", line("penalty", "9"));
  CHECK(names_of(assets) == Names{"art/hero.fbx", "far.glb", "low/imp.glb", "missing/gone.glb",
                                  "props/box.glb", "rigs/biped.fbx", "the imp"});
  std::map<std::string, const BatchAsset*> by;
  for (const BatchAsset& asset : assets) by[asset.name] = &asset;
  CHECK(by["art/hero.fbx"]->settings.options.alpha == 0.2);
  CHECK(by["far.glb"]->settings.options.alpha == 0.4);
  CHECK(by["props/box.glb"]->settings.options.alpha == 0.3);
  CHECK(by["props/box.glb"]->settings.skeleton == "lib/rigs/biped.fbx");
  CHECK(by["the imp"]->settings.options.alpha == 0.5);
  CHECK(by["low/imp.glb"]->settings.options.alpha == 0.2);
  CHECK(by["low/imp.glb"]->settings.options.resolution == 64);
  for (const BatchAsset& asset : assets) CHECK(asset.settings.options.penalty == 9.0);
  CHECK(by["the imp"]->output == "lib/build/art/imp.fbx");
  CHECK(by["low/imp.glb"]->output == "lib/build/low/imp.glb");
  CHECK(by["the imp"]->named);
  CHECK_FALSE(by["art/hero.fbx"]->named);
  CHECK(by["missing/gone.glb"]->named);
  CHECK(manifest_output({"lib/m.toml"}) == "lib/build");
  CHECK(plan({"lib/m.toml"}, "o")[0].output == "o/art/hero.fbx");
}

TEST_CASE("an output of a manifest that leaves the output folder needs leave to do so") {
  const WorkFolder folder;
  folder.write("m/a.glb");
  std::filesystem::create_directories("elsewhere");
  std::filesystem::create_directories("out/real");
  std::filesystem::create_directory_symlink(folder.path() / "elsewhere", "out/link");
  std::filesystem::create_directory_symlink("real", "out/inner");
  const auto plan_to = [&](const std::string& output, Outside outside) {
    folder.write("m/m.toml",
                 "# a comment\n[[asset]]\ninput = 'a.glb'\noutput = '" + output + "'\n");
    return plan_batch({"m/m.toml"}, "out", {}, outside).assets.at(0).output;
  };
  const std::string absolute = (folder.path() / "elsewhere/a.glb").string();
  for (const std::string& output :
       {std::string("../a.glb"), std::string("x/../../elsewhere/"), absolute,
        std::string("link/a.glb"), std::string("link/deep/er/a.glb"), std::string("../out.glb")}) {
    CHECK(message_of(ErrorKind::usage, [&] { plan_to(output, Outside::refused); }) ==
          "m/m.toml:2: the output '" + output +
              "' lies outside the output folder 'out'; --allow-outside permits that");
    CHECK_NOTHROW(plan_to(output, Outside::allowed));
  }
  const std::string inside = (folder.path() / "out/deep/a.glb").string();
  for (const std::string& output :
       {std::string("x/../a.glb"), std::string("inner/a.glb"), std::string("..a.glb"), inside})
    CHECK_NOTHROW(plan_to(output, Outside::refused));
}

TEST_CASE("a manifest's mistakes name their place") {
  const WorkFolder folder;
  folder.write("a.glb");
  folder.write("m.toml", "\ninputs = ['nowhere']\n");
  CHECK(refusal({"m.toml"}, ErrorKind::input) == "m.toml:2: nowhere: no such file or folder");
  folder.write("m.toml", "\n\ninputs = ['*.fbx']\n");
  CHECK(refusal({"m.toml"}) == "m.toml:3: '*.fbx' matches no file that bind reads");
  CHECK(holds(refusal({"m.toml", "a.glb"}), "m.toml: a manifest must be the only input"));
  folder.write("m.toml", "");
  CHECK(refusal({"m.toml"}, ErrorKind::input) == "m.toml: holds nothing to bind");
  folder.write("m.toml",
               "[[asset]]\ninput='a.glb'\nname='x'\n[[asset]]\ninput='b.glb'\nname='x'\n");
  const std::string twice = refusal({"m.toml"});
  CHECK(holds(twice, "'x'"));
  CHECK(holds(twice, "a.glb"));
  CHECK(holds(twice, "b.glb"));
}

TEST_CASE("rules that match no asset are reported") {
  const WorkFolder folder;
  folder.write("art/a.glb");
  folder.write("art/rig.fbx");
  folder.write("m/m.toml", R"(inputs = ["../art"]
[[rule]]
match = "../art/*.glb"
skeleton = "../art/rig.fbx"
[[rule]]
alpha = 0.5
match = "prosp/**"
[[rule]]
match = "rig.*"
)");
  const Findings findings = plan_batch({"m/m.toml"}, "out", {}).findings;
  REQUIRE(findings.size() == 2);
  for (const Finding& finding : findings) {
    CHECK(finding.severity == Severity::warning);
    CHECK(finding.code == "rule-without-asset");
  }
  CHECK(findings[0].message == "m/m.toml:7: the [[rule]] 'prosp/**' matches no asset");
  // The rule matches a file, but one that only serves as a skeleton.
  CHECK(findings[1].message == "m/m.toml:9: the [[rule]] 'rig.*' matches no asset");
  CHECK(plan_batch({"art"}, "out", {}).findings.empty());
}

TEST_CASE("the plan does not depend on the order of the inputs") {
  const WorkFolder folder;
  for (int i = 0; i < 50; ++i) {
    folder.write("a/" + std::to_string(i * 7919 % 50) + ".glb");
    folder.write("b/x" + std::to_string(i * 104729 % 50) + ".glb");
  }
  CHECK(names_of(plan({"a", "b"})) == names_of(plan({"b", "a"})));
  CHECK(plan({"a", "b"}).size() == 100);
}
