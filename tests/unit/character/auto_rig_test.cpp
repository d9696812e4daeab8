#include "character/auto_rig.h"

#include <catch2/catch.hpp>
#include <string>

#include "character/selection.h"

namespace gvbind {
namespace {

std::vector<SceneJoint> named(const std::vector<std::string>& names) {
  std::vector<SceneJoint> joints(names.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    joints[j].name = names[j];
    joints[j].parent = static_cast<int>(j) - 1;
  }
  return joints;
}

const std::vector<std::string> deforming = {
    "root.x",     "spine_01.x",  "arm_stretch.l",           "arm_twist.l", "leg_stretch.l",
    "c_ear_01.l", "c_thigh_b.l", "leg_stretch_dupli_001.l", "hand.l"};
const std::vector<std::string> controls = {
    "c_pos",           "c_traj",       "c_root_master.x", "c_root.x",   "c_spine_01.x",
    "arm.l",           "leg.l",        "leg_fk.l",        "c_leg_fk.l", "thigh_ik_nostr.l",
    "thigh_b_ik01.l",  "ear_01_ref.l", "c_foot_heel.l",   "c_p_neck.x", "head_scale_fix.x",
    "leg_dupli_001.l", "foot_pole.l"};

}  // namespace

TEST_CASE("controls of Auto-Rig Pro are known by their names") {
  std::vector<std::string> all = deforming;
  all.insert(all.end(), controls.begin(), controls.end());
  const std::vector<bool> found = auto_rig_controls(named(all));
  REQUIRE(found.size() == all.size());
  for (std::size_t j = 0; j < all.size(); ++j) {
    CAPTURE(all[j]);
    CHECK(found[j] == (j >= deforming.size()));
  }
}

TEST_CASE("other skeletons have no controls of Auto-Rig Pro") {
  CHECK(auto_rig_controls(named({"arm.l", "arm_stretch.l", "leg_stretch.l", "foot_ik.l"})).empty());
  CHECK(auto_rig_controls(named({"c_head", "head", "c_neck", "neck", "arm_fk"})).empty());
  CHECK(auto_rig_controls({}).empty());
}

TEST_CASE("controls of Auto-Rig Pro may not deform, unless names are ignored") {
  std::vector<std::string> all = deforming;
  all.insert(all.end(), controls.begin(), controls.end());
  Scene scene;
  scene.joints = named(all);
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.positions = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  mesh.triangles = {{0, 1, 2}};
  const auto owners = [&](NameRule names) {
    Scene chosen = scene;
    Selection selection;
    selection.names = names;
    apply_selection(chosen, selection);
    std::size_t count = 0;
    for (const SceneJoint& joint : chosen.joints) count += joint.deforms;
    return count;
  };
  CHECK(owners(NameRule::use) == deforming.size());
  CHECK(owners(NameRule::ignore) == all.size());
}

}  // namespace gvbind
