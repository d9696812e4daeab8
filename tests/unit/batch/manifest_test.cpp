#include "batch/manifest.h"

#include "batch/folder.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

const char* const toml = R"(inputs = ["art", "props/**/*.glb"]
output = "build"

[defaults]
resolution = 128
winding = false
views = ["+x", "-x", "+z"]

[[rule]]
match = "props/**"
alpha = 0.5
skeleton = "rigs/biped.fbx"
meshes = "Body"

[[asset]]
input = "art/hero.fbx"
output = "heroes/hero.fbx"
name = "the hero"
max-influences = "all"
joints = ["a", "b"]
force = true
)";

const char* const json = R"({
 "inputs": ["art", "props/**/*.glb"], "output": "build",

 "defaults": {
"resolution": 128,
"winding": false,
"views": ["+x", "-x", "+z"]},

 "rule": [
{"match": "props/**",
"alpha": 0.5,
"skeleton": "rigs/biped.fbx",
"meshes": "Body"}],
 "asset": [
{
"input": "art/hero.fbx",
"output": "heroes/hero.fbx",
"name": "the hero",
"max-influences": "all",
"joints": ["a", "b"],
"force": true}]}
)";

std::string text_of(const SettingsLayer& layer) {
  std::string text;
  for (const GivenOption& given : layer) {
    text += bind_options()[given.option].name + "=";
    for (const std::string& value : given.values) text += value + ";";
    text += " <" + given.origin + ">\n";
  }
  return text;
}

std::string error_in(const std::string& name, const std::string& content) {
  const WorkFolder folder;
  folder.write(name, content);
  return message_of(ErrorKind::usage, [&] { read_manifest(name); });
}

}  // namespace

TEST_CASE("a manifest is read whole, from TOML and from JSON") {
  const std::string suffix = GENERATE(".toml", ".json");
  const WorkFolder folder;
  const std::string name = "sub/m" + suffix;
  folder.write(name, suffix == ".toml" ? toml : json);
  const Manifest m = read_manifest(name);
  REQUIRE(m.inputs.size() == 2);
  CHECK(m.inputs[0].path == "sub/art");
  CHECK(m.inputs[1].path == "sub/props/**/*.glb");
  CHECK(m.output == "sub/build");
  CHECK(text_of(m.defaults) == "resolution=128; <" + name + ":5 defaults>\nwinding=off; <" + name +
                                   ":6 defaults>\nviews=+x,-x,+z; <" + name + ":7 defaults>\n");
  REQUIRE(m.rules.size() == 1);
  CHECK(m.rules[0].match == "props/**");
  CHECK(m.rules[0].line > 0);
  CHECK(text_of(m.rules[0].settings) ==
        "alpha=0.5; <" + name + ":11 rule 'props/**'>\nskeleton=sub/rigs/biped.fbx; <" + name +
            ":12 rule 'props/**'>\nmeshes=Body; <" + name + ":13 rule 'props/**'>\n");
  REQUIRE(m.assets.size() == 1);
  CHECK(m.assets[0].input == "sub/art/hero.fbx");
  CHECK(m.assets[0].output == "heroes/hero.fbx");
  CHECK(m.assets[0].name == "the hero");
  CHECK(m.assets[0].line == 15);
  CHECK(text_of(m.assets[0].settings) == "max-influences=all; <" + name +
                                             ":19 asset>\njoints=a;b; <" + name +
                                             ":20 asset>\nforce=true; <" + name + ":21 asset>\n");
}

TEST_CASE("every option of bind is a key") {
  for (const BindOption& option : bind_options()) {
    const WorkFolder folder;
    const auto values = option.values(BindSettings{});
    folder.write("file");  // an empty rule file, for options that read one
    const std::string value = option.is_flag                 ? "true"
                              : option.name == "forbid"      ? "\"a:b\""
                              : option.name == "alpha-joint" ? "\"a=0.5\""
                              : option.name == "give"        ? "[\"mesh:a=b\"]"
                              : option.name == "like"        ? "[\"file\"]"
                              : option.name == "clip"        ? "[\"walk\"]"
                              : option.repeatable            ? "[\"x\"]"
                              : option.name == "asset-root"  ? "\".\""
                              : values.empty()               ? "\"file\""
                                                             : "\"" + values[0] + "\"";
    folder.write("m.toml", "[defaults]\n" + option.name + " = " + value + "\n");
    const Manifest m = read_manifest("m.toml");
    REQUIRE(m.defaults.size() == 1);
    CHECK(bind_options()[m.defaults[0].option].name == option.name);
  }
}

TEST_CASE("a fault in a rule file is reported with both lines") {
  const WorkFolder folder;
  folder.write("r.toml", "\nalpa = 0.5\n");
  folder.write("e.edits", "add\n");
  const auto error_of_text = [&](const char* text) {
    folder.write("m.toml", text);
    return message_of(ErrorKind::usage, [] { read_manifest("m.toml"); });
  };
  CHECK(error_of_text("[defaults]\n\nrules = \"r.toml\"\n") ==
        "m.toml:3: r.toml:2: unknown key 'alpa' in a file of rules; did you mean 'alpha'?");
  CHECK(error_of_text("[defaults]\nedits = \"e.edits\"\n") ==
        "m.toml:2: e.edits:1: primitive is missing at the end of the line");
  CHECK(error_of_text("rules = \"r.toml\"\n") ==
        "m.toml:1: 'rules' belongs in [defaults], a [[rule]] or an [[asset]]");
}

TEST_CASE("an unknown key is refused with its line and the nearest") {
  CHECK(error_in("m.toml", "[defaults]\nalpha = 1\nresolutoin = 64\n") ==
        "m.toml:3: unknown key 'resolutoin' in [defaults]; did you mean 'resolution'?");
  CHECK(error_in("m.toml", "[[rule]]\nmatch = 'x'\n\nskeletn = 'a'\n") ==
        "m.toml:4: unknown key 'skeletn' in [[rule]]; did you mean 'skeleton'?");
  CHECK(error_in("m.toml", "[[asset]]\ninput = 'x'\noutptu = 'a'\n") ==
        "m.toml:3: unknown key 'outptu' in [[asset]]; did you mean 'output'?");
  CHECK(error_in("m.toml", "\n[[rules]]\n") ==
        "m.toml:2: unknown key 'rules' in a manifest; did you mean 'rule'?");
  CHECK(error_in("m.json", "{\n\"asset\": [\n{\"input\": \"x\",\n\"resolutoin\": 3}]}") ==
        "m.json:4: unknown key 'resolutoin' in [[asset]]; did you mean 'resolution'?");
}

TEST_CASE("keys in the wrong table are distinguished from unknown ones") {
  CHECK(error_in("m.toml", "[defaults]\njobs = 4\n") ==
        "m.toml:2: 'jobs' concerns the whole run; give it on the command line, as --jobs");
  CHECK(error_in("m.toml", "html = 'x'\n").starts_with("m.toml:1: 'html' concerns the whole run"));
  CHECK(error_in("m.toml", "alpha = 0.5\n") ==
        "m.toml:1: 'alpha' belongs in [defaults], a [[rule]] or an [[asset]]");
  CHECK(error_in("m.toml", "[[asset]]\nresolution = 64\n") ==
        "m.toml:1: an [[asset]] needs 'input'");
  CHECK(error_in("m.toml", "[[rule]]\nresolution = 64\n")
            .starts_with("m.toml:1: a [[rule]] needs 'match'"));
}

TEST_CASE("a bad value is refused with its line") {
  CHECK(error_in("m.toml", "[defaults]\n\nresolution = 100\n") ==
        "m.toml:3: resolution: '100' is not a power of two from 16 to 2048, nor 'auto'");
  CHECK(error_in("m.toml", "[[rule]]\nmatch = '*'\nalpha = 1.5\n") ==
        "m.toml:3: alpha: '1.5' is not a number from 0 to 1");
  CHECK(error_in("m.toml", "[defaults]\nleaf = 'extnd'\n") ==
        "m.toml:2: leaf: 'extnd' is not one of extend, ignore, point, surface; did you mean "
        "'extend'?");
  CHECK(error_in("m.toml", "[defaults]\nresolution = [64]\n") ==
        "m.toml:2: 'resolution' takes a string or a number, not a list");
  CHECK(error_in("m.toml", "[defaults]\nalpha = true\n") ==
        "m.toml:2: 'alpha' takes a string or a number, not a boolean");
  CHECK(error_in("m.toml", "[defaults]\nskeleton = 5\n") ==
        "m.toml:2: 'skeleton' takes a string, not a number");
  CHECK(error_in("m.toml", "[defaults]\nforce = 'perhaps'\n") ==
        "m.toml:2: force: 'perhaps' is neither true nor false");
  CHECK(error_in("m.toml", "[defaults]\nmeshes = ['a', 3]\n") ==
        "m.toml:2: 'meshes' takes a list of strings; one is a number");
  CHECK(error_in("m.toml", "[defaults]\nalpha = nan\n").starts_with("m.toml:2: alpha: 'nan'"));
  CHECK(error_in("m.toml", "[defaults]\nalpha = 2026-01-01\n").starts_with("m.toml:2: 'alpha'"));
  CHECK(error_in("m.json", "{\"defaults\": {\n\"alpha\": null}}").starts_with("m.json:2: 'alpha'"));
  CHECK(error_in("m.toml", "asset = 3\n").starts_with("m.toml:1: 'asset' takes a list of tables"));
  CHECK(error_in("m.toml", "asset = [3]\n").starts_with("m.toml:1: 'asset' takes tables"));
  CHECK(error_in("m.toml", "defaults = 'x'\n") ==
        "m.toml:1: 'defaults' takes a table, not a string");
  CHECK(error_in("m.toml", "[[asset]]\ninput = ''\n") == "m.toml:2: 'input' is empty");
}

TEST_CASE("invalid TOML or JSON is refused with its line") {
  for (const char* text : {"a = 1\nb = \n", "a = 1\n[x\n", "a=1\nb='x", "a = 1\na = 2\n"}) {
    CAPTURE(text);
    CHECK(error_in("m.toml", text).starts_with("m.toml:2: "));
  }
  for (const char* text : {"{\n\"defaults\": }", "{\n\"defaults\": {}", "{\n\"a\": tru}",
                           "{\"defaults\": {},\n\"defaults\": {}}"}) {
    CAPTURE(text);
    CHECK(error_in("m.json", text).starts_with("m.json:2: "));
  }
  CHECK(error_in("m.json", "").starts_with("m.json:1: "));
  CHECK(error_in("m.json", "[]") == "m.json:1: a manifest is a table");
  CHECK(error_in("m.toml", "\xff\xfe").starts_with("m.toml:1: "));
}

TEST_CASE("hostile manifests end in an error") {
  CHECK(error_in("m.json", std::string(1 << 20, '[')) == "m.json:1: is nested too deep");
  CHECK(error_in("m.toml", "a = " + std::string(100000, '[')).starts_with("m.toml:1: "));
  CHECK(error_in("m.toml", "[[asset]]\ninput = \"a\\u0000b\"\n") ==
        "m.toml:2: a string holds a zero byte");
  CHECK(error_in("m.toml", "\"a\\nb\" = 1\n").starts_with("m.toml:1: unknown key"));
}

TEST_CASE("a missing manifest is an input error") {
  const WorkFolder folder;
  CHECK(message_of(ErrorKind::input, [] { read_manifest("m.toml"); }) == "m.toml: no such file");
  std::filesystem::create_directory("d.toml");
  CHECK(message_of(ErrorKind::input, [] { read_manifest("d.toml"); }) == "d.toml: is not a file");
}

TEST_CASE("manifests are known by their suffix") {
  CHECK(is_manifest_name("a/b.toml"));
  CHECK(is_manifest_name("b.JSON"));
  CHECK_FALSE(is_manifest_name("b.glb"));
  CHECK_FALSE(is_manifest_name("toml"));
}
