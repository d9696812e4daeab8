#include "gvbind/prepare/control_joints.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

JointRoles roles_of(const Figure& f) {
  const UnitScene scene = unit_scene(f.shape);
  const WindingTree winding(scene);
  return joint_roles(f.joints, InsideQuery(scene.cube, scene, winding));
}

/// The figure with a root on the ground: its joint i becomes joint i + 1.
Figure with_root() {
  Figure f = figure();
  for (Joint& joint : f.joints) ++joint.parent;
  f.joints.insert(f.joints.begin(), {{0.0, -0.1, 0.0}, -1});
  return f;
}

}  // namespace

TEST_CASE("every joint inside the mesh owns") {
  for (const JointRole role : roles_of(figure()).role) CHECK(role == JointRole::deforming);
}

TEST_CASE("joints above the body are controls") {
  Figure f = with_root();
  const JointRoles roles = roles_of(f);
  CHECK(roles.role[0] == JointRole::control);
  for (std::size_t i = 1; i < f.joints.size(); ++i) CHECK(roles.role[i] == JointRole::deforming);
}

TEST_CASE("a joint in one place with its only child leaves the weight to the child") {
  Figure f = with_root();
  f.joints[0].position = f.joints[1].position;
  CHECK(roles_of(f).role[0] == JointRole::control);
  CHECK(roles_of(f).role[1] == JointRole::deforming);
}

TEST_CASE("a joint outside in the midst of a limb goes on owning") {
  Figure f = figure();
  f.joints[4].position.y() += 0.5;
  CHECK(roles_of(f).role[4] == JointRole::deforming);
}

TEST_CASE("IK controls and pole targets own nothing") {
  Figure f = with_root();
  const auto first = f.joints.size();
  const Eigen::Vector3d foot = f.joints[12].position;
  f.joints.push_back({foot, 0});  // duplicates the foot
  f.joints.push_back({foot + Eigen::Vector3d(0, 0, 0.03), static_cast<int>(first)});
  f.joints.push_back({{0.0, 0.5, 1.5}, 0});  // a pole target
  const JointRoles roles = roles_of(f);
  CHECK(roles.role[first] == JointRole::ik_duplicate);
  CHECK(roles.role[first + 1] == JointRole::ik_duplicate);
  CHECK(roles.role[first + 2] == JointRole::pole_target);
  CHECK(roles.role[12] == JointRole::deforming);
}

TEST_CASE("limbs that start where the body starts are not its duplicates") {
  Figure f = figure();
  const auto first = f.joints.size();
  f.joints.push_back({f.joints[0].position, -1});
  CHECK(roles_of(f).role[first] == JointRole::ik_duplicate);  // a copy of the root alone
  f.joints.push_back({f.joints[0].position, -1});
  CHECK(roles_of(f).role[first] == JointRole::deforming);  // three that start there
  f.joints.pop_back();
  f.joints.push_back(
      {f.joints[12].position + Eigen::Vector3d(0, 0, 0.02), static_cast<int>(first)});
  CHECK(roles_of(f).role[first] == JointRole::deforming);
  CHECK(roles_of(f).role[first + 1] == JointRole::deforming);
  f.joints[first + 1].position = f.joints[12].position;  // an IK chain
  CHECK(roles_of(f).role[first] == JointRole::ik_duplicate);
}

TEST_CASE("a neck that an IK target holds is no copy of the collars that start there") {
  Figure f = with_root();
  const std::size_t chest = 2, neck = f.joints.size();
  f.joints[3].parent = static_cast<int>(neck);  // the head
  f.joints.push_back({f.joints[chest].position, 0});
  std::swap(f.joints[3], f.joints.back());  // parents come before their children
  f.joints.back().parent = 3;
  CHECK(roles_of(f).role[3] == JointRole::ik_duplicate);  // of the chest
  for (int collar = 0; collar < 2; ++collar)
    f.joints.push_back({f.joints[chest].position, static_cast<int>(chest)});
  CHECK(roles_of(f).role[3] == JointRole::deforming);
  CHECK(roles_of(f).role[neck] == JointRole::deforming);
}

TEST_CASE("a joint outside owns if its bone enters the mesh, unless it is called a root") {
  Figure f = with_root();
  f.joints[0].position = {0.0, 2.3, 0.05};  // above the head; its bone ends in the hips
  for (const std::size_t beside : {2, 3}) f.joints[beside].position.z() += 0.5;  // chest and head
  CHECK(roles_of(f).role[0] == JointRole::deforming);
  f.joints[0].name = "Armature_rootJoint";
  CHECK(roles_of(f).role[0] == JointRole::control);
}

TEST_CASE("a handle above the head, along whose bone other bones lie, owns nothing") {
  Figure f = with_root();
  f.joints[0].position = {0.0, 2.3, 0.05};
  CHECK(roles_of(f).role[0] == JointRole::control);
  f.joints[2].position.z() += 0.5;  // one joint beside it may be chance
  CHECK(roles_of(f).role[0] == JointRole::deforming);
}

TEST_CASE("Blender's placeholder is no limb, whatever starts there") {
  Figure f = figure();
  for (int i = 0; i < 2; ++i) f.joints.push_back({f.joints[0].position, -1});
  CHECK(roles_of(f).role.back() == JointRole::deforming);
  f.joints.back().name = "neutral_bone";
  CHECK(roles_of(f).role.back() == JointRole::ik_duplicate);
}

TEST_CASE("a branch outside whose bone enters the mesh is no pole target") {
  Figure f = with_root();
  const auto first = static_cast<int>(f.joints.size());
  f.joints.push_back({{0.0, 2.25, 0.05}, 0});
  CHECK(roles_of(f).role.back() == JointRole::pole_target);
  f.joints.push_back({{0.0, 0.45, -0.15}, first});  // through head and trunk, outside at both ends
  CHECK(roles_of(f).role[static_cast<std::size_t>(first)] == JointRole::deforming);
  f.joints.back().position = {0.0, 2.9, 0.05};
  CHECK(roles_of(f).role[static_cast<std::size_t>(first)] == JointRole::pole_target);
}

TEST_CASE("of joints at one place those named DEF own") {
  const char* separator = GENERATE("-", "_", ".");
  Figure f = figure();
  const std::size_t count = f.joints.size();
  for (std::size_t i = 0; i < count; ++i) f.joints[i].name = "TGT." + std::to_string(i);
  for (std::size_t i = 0; i < count; ++i) {
    Joint twin = f.joints[i];
    twin.name = std::string("rig:DEF") + separator + std::to_string(i);
    twin.parent = static_cast<int>(i);
    f.joints.push_back(twin);
  }
  const JointRoles roles = roles_of(f);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(roles.role[i] == JointRole::ik_duplicate);
    CHECK(roles.role[count + i] == JointRole::deforming);
  }
  CHECK(roles.continued_by[count + 10] == static_cast<int>(count + 11));  // the shin
}

TEST_CASE("a limb is continued by the branch where it goes on") {
  Figure f = with_root();
  const std::size_t foot = 12;
  f.joints[foot].parent = 0;  // an IK foot: its shin no longer has a child
  const JointRoles roles = roles_of(f);
  CHECK(roles.role[foot] == JointRole::deforming);
  CHECK(roles.continued_by[foot - 1] == static_cast<int>(foot));
  CHECK(roles.continued_by[foot + 3] == -1);
}

TEST_CASE("no limb goes on in a bone much longer than its last") {
  Figure f = with_root();
  for (const std::size_t thigh : {10, 13}) {
    f.joints[thigh].parent = 0;
    f.joints[thigh].position.y() += 0.15;  // 0.85 below the head, whose bone has 0.4
  }
  for (const int next : roles_of(f).continued_by) CHECK(next == -1);
}

TEST_CASE("no limb goes on where it came from") {
  Figure f = with_root();
  const std::size_t foot = 12;
  f.joints[foot] = {{0.17, 0.75, 0.02}, 0};
  CHECK(roles_of(f).role[foot] == JointRole::deforming);
  CHECK(roles_of(f).continued_by[foot - 1] == -1);
}

TEST_CASE("where no joint is inside, all own") {
  Figure f = figure();
  for (Joint& joint : f.joints) joint.position.z() += 5.0;
  for (const JointRole role : roles_of(f).role) CHECK(role == JointRole::deforming);
}

TEST_CASE("roles depend on neither scale nor place nor mirroring") {
  Figure f = with_root();
  f.joints.push_back({{0.0, 0.5, 1.5}, 0});
  const std::vector<JointRole> before = roles_of(f).role;
  const auto move = [](Eigen::Vector3d& p) {
    p = Eigen::Vector3d(-p.x(), p.y(), p.z()) * 100.0 + Eigen::Vector3d(7, 8, 9);
  };
  for (Eigen::Vector3d& p : f.shape.positions) move(p);
  for (Joint& joint : f.joints) move(joint.position);
  CHECK(roles_of(f).role == before);
}
