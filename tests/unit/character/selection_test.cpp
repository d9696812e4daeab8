#include "character/selection.h"

#include <fnmatch.h>

#include <catch2/catch.hpp>
#include <random>

#include "formats/import/samples.h"
#include "io/glob.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

SceneJoint joint(const std::string& name, int parent, bool deforms = true) {
  SceneJoint result;
  result.name = name;
  result.parent = parent;
  result.deforms = deforms;
  return result;
}

SceneMesh mesh(const std::string& name) {
  SceneMesh result;
  result.name = name;
  result.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  result.triangles = {{0, 1, 2}};
  return result;
}

/// Joints hips - spine - head, hips - leg_l, and a separate bone for a prop. A body, a hat attached
/// to the head, and a skinned cape whose node is a child of the spine.
Scene sample() {
  Scene scene;
  scene.joints = {joint("hips", -1), joint("spine", 0), joint("head", 1), joint("leg_l", 0),
                  joint("prop", -1, false)};
  scene.meshes = {mesh("body"), mesh("hat"), mesh("cape")};
  scene.meshes[1].attached_to = 2;
  scene.meshes[2].attached_to = 1;
  scene.meshes[2].skin_joints = {1};
  return scene;
}

std::string deforming(const Selection& selection) {
  Scene scene = sample();
  apply_selection(scene, selection);
  std::string names;
  for (const SceneJoint& j : scene.joints)
    if (j.deforms) names += j.name + " ";
  return names;
}

std::string selected(const Selection& selection) {
  Scene scene = sample();
  apply_selection(scene, selection);
  std::string names;
  for (const SceneMesh& m : scene.meshes)
    if (m.selected) names += m.name + " ";
  return names;
}

}  // namespace

TEST_CASE(
    "leaves named as ends of bones do not deform, unless names are ignored or they are chosen",
    "[selection]") {
  const auto deforms = [](const Selection& selection) {
    Scene scene;
    scene.joints = {
        joint("hand", -1),       joint("thumb_end.R", 0),   joint("thumb_end.R_end", 1),
        joint("toe_end_012", 0), joint("Bip01 HeadNub", 0), joint("bend", 0),
        joint("tail_end", -1),   joint("heel_end_07", 0),   joint("heel_end_end_08", 7)};
    scene.meshes = {mesh("body")};
    apply_selection(scene, selection);
    std::string found;
    for (const SceneJoint& j : scene.joints) found += j.deforms ? '1' : '0';
    return found;
  };
  CHECK(deforms({}) == "110001100");
  Selection ignoring;
  ignoring.names = NameRule::ignore;
  CHECK(deforms(ignoring) == "111111111");
  Selection chosen;
  chosen.joints = {"*"};
  CHECK(deforms(chosen) == "111111111");
}

TEST_CASE("globs", "[glob]") {
  CHECK(matches_glob("", ""));
  CHECK_FALSE(matches_glob("", "a"));
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("Arm*_?", "Arm_upper_L"));
  CHECK_FALSE(matches_glob("Arm", "Arm_L"));
  CHECK_FALSE(matches_glob("arm", "Arm"));
  CHECK(matches_glob("[a-c]x", "bx"));
  CHECK_FALSE(matches_glob("[!a-c]x", "bx"));
  CHECK(matches_glob("[^a-c]x", "dx"));
  CHECK(matches_glob("[]-]", "]"));
  CHECK(matches_glob("a[", "a["));
  CHECK(matches_glob("\\*[\\]]", "*]"));
  CHECK(matches_glob("mixamorig:*", "mixamorig:Hips"));
  CHECK(matches_glob("?", "\xe9\xaa\xa8"));
  CHECK(matches_glob("[\xc3\xa0-\xc3\xbf]", "\xc3\xbc"));
  CHECK(matches_glob("??", "\xe9\xaa"));  // not UTF-8
}

TEST_CASE("globs agree with the C library's", "[glob]") {
  std::mt19937 random(7);
  const auto letters = [&](std::string_view from, std::size_t most) {
    std::string text;
    for (std::size_t n = random() % (most + 1); n > 0; --n) text += from[random() % from.size()];
    return text;
  };
  std::size_t matched = 0;
  for (int round = 0; round < 100000; ++round) {
    const std::string pattern = letters("aab**?]!-", 7), text = letters("ab-]!", 6);
    const bool expected = fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
    matched += expected ? 1 : 0;
    if (matches_glob(pattern, text) == expected) continue;
    CAPTURE(pattern, text);
    REQUIRE(matches_glob(pattern, text) == expected);
  }
  for (const char* pattern : {"[ab]", "[!a]", "[a-b]*", "*[!-a]", "[]a]?", "[a-]", "x[!]a]"})
    for (const char* text : {"a", "b", "]", "-", "ab", "b-", "x]", "xb", ""}) {
      CAPTURE(pattern, text);
      REQUIRE(matches_glob(pattern, text) == (fnmatch(pattern, text, 0) == 0));
    }
  CHECK(matched > 1000);
}

TEST_CASE("a glob of many stars ends", "[glob]") {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  CHECK_FALSE(matches_glob(pattern + "b", std::string(2000, 'a')));
}

TEST_CASE("which meshes are selected", "[selection]") {
  CHECK(selected({}) == "cape ");
  CHECK(selected({.meshes = {"*"}, .joints = {}, .exclude = {}, .roots = {}}) == "body hat cape ");
  CHECK(selected({.meshes = {"hat"}, .joints = {}, .exclude = {}, .roots = {}}) == "hat ");
  CHECK(selected({.meshes = {"b*", "h*"}, .joints = {}, .exclude = {}, .roots = {}}) ==
        "body hat ");
}

TEST_CASE("a mesh that a scale of zero hides is left, also where it is named", "[selection]") {
  const Selection all{.meshes = {"*"}, .joints = {}, .exclude = {}, .roots = {}};
  Scene scene = sample();
  scene.meshes[0].to_bind = Eigen::Affine3d(Eigen::Scaling(0.0, 1.0, 1.0));
  const Findings findings = apply_selection(scene, all);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "mesh-collapsed");
  CHECK_FALSE(scene.meshes[0].selected);
  CHECK(scene.meshes[1].selected);
}

TEST_CASE("a name with brackets names its mesh", "[selection]") {
  Scene scene = sample();
  scene.meshes[1].name = "hat [1]";
  apply_selection(scene, {.meshes = {"hat [1]"}, .joints = {}, .exclude = {}, .roots = {}});
  CHECK(scene.meshes[1].selected);
  CHECK_FALSE(scene.meshes[2].selected);
}

TEST_CASE("meshes beside skinned ones stay as they are and are counted", "[selection]") {
  Scene scene = sample();
  const Findings findings = apply_selection(scene, {});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "scenery-left");
  CHECK(findings[0].message.starts_with("1 mesh without a skin beside skinned ones ('body')"));
  scene = sample();
  scene.meshes[2].skin_joints.clear();
  CHECK(apply_selection(scene, {}).empty());
  CHECK(scene.meshes[0].selected);
}

TEST_CASE("meshes that are drawn in several places stay as they are", "[selection]") {
  Scene scene = sample();
  scene.meshes = {mesh("body"), mesh("rocks")};
  scene.meshes[1].instanced = true;
  const Findings findings = apply_selection(scene, {});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "instances-left");
  CHECK(findings[0].message.starts_with("1 mesh drawn in several places ('rocks')"));
  CHECK(scene.meshes[0].selected);
  CHECK_FALSE(scene.meshes[1].selected);
  Scene named = sample();
  named.meshes = {mesh("rocks")};
  named.meshes[0].instanced = true;
  CHECK_THROWS_WITH(apply_selection(named, {}), Catch::Contains("drawn in several places"));
  named.meshes[0].selected = true;
  CHECK(apply_selection(named, {.meshes = {"rocks"}, .joints = {}, .exclude = {}, .roots = {}})
            .empty());
  CHECK(named.meshes[0].selected);
}

TEST_CASE("which joints may own weight", "[selection]") {
  CHECK(deforming({}) == "hips spine head leg_l ");
  CHECK(deforming({.meshes = {}, .joints = {"*e*"}, .exclude = {}, .roots = {}}) ==
        "spine head leg_l ");
  CHECK(deforming({.meshes = {}, .joints = {"prop"}, .exclude = {}, .roots = {}}) == "prop ");
  CHECK(deforming({.meshes = {}, .joints = {}, .exclude = {"leg_?"}, .roots = {}}) ==
        "hips spine head ");
  CHECK(deforming({.meshes = {}, .joints = {}, .exclude = {}, .roots = {"spine"}}) ==
        "spine head ");
  CHECK(deforming({.meshes = {}, .joints = {"*"}, .exclude = {"head"}, .roots = {"spine"}}) ==
        "spine ");
}

TEST_CASE("the root that Sketchfab's exporter adds does not deform, if joints hang from it") {
  const auto deforms = [](const std::string& name, NameRule names) {
    Scene scene;
    scene.joints = {joint(name, -1), joint("hips", 0), joint("_rootJoint", 1)};
    scene.meshes = {mesh("body")};
    Selection selection;
    selection.names = names;
    apply_selection(scene, selection);
    std::string found;
    for (const SceneJoint& j : scene.joints) found += j.deforms ? '1' : '0';
    return found;
  };
  CHECK(deforms("GLTF_created_0_rootJoint", NameRule::use) == "011");
  CHECK(deforms("_rootJoint_12", NameRule::use) == "011");
  CHECK(deforms("rootJoint", NameRule::use) == "111");
  CHECK(deforms("_rootJoint", NameRule::ignore) == "111");
}

TEST_CASE("joints of cameras do not deform", "[selection]") {
  Scene scene;
  scene.joints = {joint("hips", -1), joint("stereoCamera_aim1_66", 0), joint("camel", 0)};
  scene.meshes = {mesh("body")};
  Selection selection;
  selection.names = NameRule::use;
  apply_selection(scene, selection);
  CHECK(scene.joints[0].deforms);
  CHECK_FALSE(scene.joints[1].deforms);
  CHECK(scene.joints[2].deforms);
}

TEST_CASE("of a skeleton that stands twice, the one that skins refer to deforms", "[selection]") {
  const auto deforms = [](int skinned, double shift, const Selection& selection) {
    Scene scene;
    for (const std::string name : {"a", "b"})
      for (int j = 0; j < 3; ++j) {
        scene.joints.push_back(
            joint(name + std::to_string(j), j ? static_cast<int>(scene.joints.size()) - 1 : -1));
        scene.joints.back().bind.translation().y() = j + (name == "b" ? shift : 0.0);
      }
    scene.meshes = {mesh("body")};
    if (skinned >= 0) scene.meshes[0].skin_joints = {skinned};
    apply_selection(scene, selection);
    std::string found;
    for (const SceneJoint& j : scene.joints) found += j.deforms ? '1' : '0';
    return found;
  };
  CHECK(deforms(1, 0, {}) == "111000");
  CHECK(deforms(4, 0.001, {}) == "000111");
  CHECK(deforms(4, 0.01, {}) == "111111");
  CHECK(deforms(-1, 0, {}) == "111111");
  CHECK(deforms(4, 0, {.meshes = {}, .joints = {"a*"}, .exclude = {}, .roots = {}}) == "111000");
  CHECK(deforms(4, 0, {.meshes = {}, .joints = {}, .exclude = {}, .roots = {"a0"}}) == "111000");
}

TEST_CASE("selections that match nothing", "[selection]") {
  const auto message = [](ErrorKind kind, const Selection& selection) {
    return error_of(kind, [&] {
      Scene scene = sample();
      apply_selection(scene, selection);
    });
  };
  CHECK(message(ErrorKind::usage, {.meshes = {"bdy"}, .joints = {}, .exclude = {}, .roots = {}}) ==
        "no mesh matches 'bdy'; is it 'body'?");
  CHECK(message(ErrorKind::usage,
                {.meshes = {}, .joints = {"LegL", "hips"}, .exclude = {}, .roots = {}}) ==
        "no joint matches 'LegL'; is it 'leg_l'?");
  CHECK(
      message(ErrorKind::usage, {.meshes = {}, .joints = {}, .exclude = {"xyzzy*"}, .roots = {}}) ==
      "no joint matches 'xyzzy*'");
  CHECK(message(ErrorKind::usage, {.meshes = {}, .joints = {}, .exclude = {}, .roots = {"hip"}}) ==
        "no root matches 'hip'; is it 'hips'?");
  CHECK(message(ErrorKind::cannot_bind,
                {.meshes = {}, .joints = {}, .exclude = {"*"}, .roots = {}}) ==
        "no joints that may own weight");
}

TEST_CASE("the nearest name is that of the fewest slips", "[selection]") {
  const auto nearest = [](const char* text, std::vector<std::string> names) {
    return nearest_name(text, names);
  };
  CHECK(nearest("--htlm", {"--help", "--html"}) == "--html");
  CHECK(nearest("ba", {"bcd", "ab"}) == "ab");
  CHECK(nearest("HIPS", {"lips", "hips"}) == "hips");
  CHECK(nearest("hipss", {"h", "hip", "hips"}) == "hips");
  CHECK(nearest("abcd", {"badc"}) == "badc");
  CHECK(nearest("abcd", {"dcba"}) == "");
  CHECK(nearest("", {"a"}) == "a");
  CHECK(nearest("a", {"", "bcd"}) == "");
  CHECK(nearest("a", {}) == "");
}

TEST_CASE("scenes with nothing to bind", "[selection]") {
  Scene scene = sample();
  scene.joints.clear();
  scene.meshes.resize(1);
  CHECK(error_of(ErrorKind::cannot_bind, [&] { apply_selection(scene, {}); }) == "no joints");
  scene = sample();
  scene.meshes = {scene.meshes[1]};
  CHECK(error_of(ErrorKind::cannot_bind, [&] { apply_selection(scene, {}); }) ==
        "no mesh with triangles to bind");
  scene = sample();
  for (SceneMesh& m : scene.meshes) m.triangles.clear();
  CHECK(error_of(ErrorKind::cannot_bind, [&] { apply_selection(scene, {}); }) ==
        "no mesh with triangles to bind");
}

TEST_CASE("the mechanism of a Rigify rig owns nothing, props and other rigs keep their joints") {
  Scene scene = sample();
  scene.joints = {joint("root", -1),
                  joint("DEF-spine", 0),
                  joint("ORG-spine", 0),
                  joint("DEF-thigh.L_018", 1),
                  joint("MCH-torso.parent", 0),
                  joint("hand_ik.L", 0),
                  joint("CTRL-chest_029", 0),
                  joint("tweak_spine", 0),
                  joint("violin", 0),
                  joint("DEF-foot.L", 3),
                  joint("head", 0),
                  joint("headband", 0)};
  const auto names = [&](NameRule rule, std::vector<std::string> joints = {}) {
    Scene chosen = scene;
    Selection selection;
    selection.names = rule;
    selection.joints = std::move(joints);
    apply_selection(chosen, selection);
    std::string found;
    for (const SceneJoint& j : chosen.joints)
      if (j.deforms) found += j.name + " ";
    return found;
  };
  CHECK(names(NameRule::use) == "DEF-spine DEF-thigh.L_018 violin DEF-foot.L headband ");
  CHECK(names(NameRule::use, {"ORG-*"}) == "ORG-spine ");
  CHECK(names(NameRule::ignore).starts_with("root DEF-spine ORG-spine "));
  scene.joints[1].name = "DEF_spine";  // as exporters write it that replace the dash
  scene.joints[2].name = "ORG_spine";
  CHECK(names(NameRule::use) == "DEF_spine DEF-thigh.L_018 violin DEF-foot.L headband ");
  scene.joints[2].name = "ORG-spine";
  scene.joints[1].name = "spine";  // only two remain, so it is not recognized as a Rigify rig
  CHECK(names(NameRule::use).starts_with("root spine ORG-spine "));
}
