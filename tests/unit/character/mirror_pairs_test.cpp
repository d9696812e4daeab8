#include "character/mirror_pairs.h"

#include <catch2/catch.hpp>
#include <random>

using namespace gvbind;

namespace {

SceneJoint joint_of(const std::string& name, int parent, const Eigen::Vector3d& at) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = parent;
  joint.bind.translation() = at;
  return joint;
}

/// The nearest position by exhaustive search.
std::size_t slow_nearest(const std::vector<Eigen::Vector3d>& positions, const Eigen::Vector3d& at) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < positions.size(); ++i)
    if ((positions[i] - at).norm() < (positions[best] - at).norm()) best = i;
  return best;
}

}  // namespace

TEST_CASE("names turn their side") {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"LeftArm", "RightArm"},
           {"mixamorig:RightHandThumb1", "mixamorig:LeftHandThumb1"},
           {"LEFT_LEG", "RIGHT_LEG"},
           {"leg_left", "leg_right"},
           {"arm.L", "arm.R"},
           {"hand_l", "hand_r"},
           {"R_Knee", "L_Knee"},
           {"Bip01 L Foot", "Bip01 R Foot"},
           {"lShin", "rShin"},
           {"Bip01 LCheek", "Bip01 RCheek"},
           {"DEF-thigh.L.001", "DEF-thigh.R.001"},
           {"左腕", "右腕"}}) {
    CHECK(mirrored_name(one) == other);
    CHECK(mirrored_name(other) == one);
  }
  for (const char* name : {"", "spine", "Pelvis", "Root", "tail", "collar", "LRB", "barrel"})
    CHECK(mirrored_name(name).empty());
}

TEST_CASE("joints have twins at their mirrored places, and names help") {
  const std::vector<SceneJoint> joints = {
      joint_of("root", -1, {0, 0, 0}),         joint_of("hips", 0, {0, 0, 0}),
      joint_of("arm.L", 1, {1, 2, 0}),         joint_of("arm.R", 1, {-1.02, 2, 0}),
      joint_of("twist", 2, {1, 2, 0}),         joint_of("other twist", 3, {-1.001, 2, 0}),
      joint_of("sword", 3, {-3, 2, 0}),        joint_of("foot", 1, {0.5, -2, 0}),
      joint_of("other foot", 1, {-0.5, -2, 0})};
  CHECK(mirror_joints(joints, {0, 0.0}, 0.01, 0.1) == std::vector<int>{0, 1, 3, 2, 5, 4, -1, 8, 7});
  // A matching name alone does not make a pair.
  const std::vector<SceneJoint> beside = {joint_of("spine", -1, {0.03, 0, 0}),
                                          joint_of("rib.L", 0, {0.03, 1, 0})};
  CHECK(mirror_joints(beside, {0, 0.0}, 0.01, 0.1) == std::vector<int>{0, -1});
  const std::vector<SceneJoint> arms = {joints[2], joints[3]};
  CHECK(mirror_joints(arms, {0, 0.0}, 0.01, 0.015) == std::vector<int>{-1, -1});
}

TEST_CASE("vertices have twins that are each other's nearest") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  std::vector<Eigen::Vector3d> positions;
  for (int i = 0; i < 150; ++i) {
    const Eigen::Vector3d p(any(random), any(random), any(random));
    positions.push_back(p);
    if (i % 3) positions.emplace_back(0.5 - p.x(), p.y() + (i % 2) * 1e-4, p.z());
  }
  const MirrorPlane plane{0, 0.25};
  const double near = 1e-3;
  const auto pairs = mirror_vertices(positions, plane, near);
  std::size_t with = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const std::size_t other = slow_nearest(positions, plane.mirrored(positions[v]));
    const bool is_pair = (positions[other] - plane.mirrored(positions[v])).norm() <= near &&
                         slow_nearest(positions, plane.mirrored(positions[other])) == v;
    CHECK(pairs[v] == (is_pair ? other : no_mirror));
    with += is_pair;
  }
  CHECK(with >= 200);
}

TEST_CASE("vertices at one place and in the middle have twins too") {
  const std::vector<Eigen::Vector3d> positions = {{1, 0, 0}, {1, 0, 0},  {-1, 0, 0},
                                                  {0, 1, 0}, {-1, 0, 0}, {-1, 0, 0}};
  CHECK(mirror_vertices(positions, {0, 0.0}, 0.01) == std::vector<std::size_t>{2, 4, 0, 3, 1, 1});
  CHECK(mirror_vertices({}, {0, 0.0}, 0.01).empty());
}

TEST_CASE("the plane is found, away from the origin and along any axis") {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(0.1, 1.0);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Eigen::Vector3d> positions;
    for (int i = 0; i < 60; ++i) {
      const Eigen::Vector3d p(any(random), any(random), any(random));
      positions.push_back(p);
      positions.push_back(MirrorPlane{axis, 3.0}.mirrored(p));
    }
    const auto plane = mirror_plane({}, positions, Mirror::automatic, 1e-3, 1e-2);
    REQUIRE(plane);
    CHECK(plane->axis == axis);
    CHECK(plane->offset == Approx(3.0));
  }
  std::vector<Eigen::Vector3d> uneven;
  for (int i = 0; i < 60; ++i) uneven.emplace_back(any(random), any(random), any(random));
  CHECK_FALSE(mirror_plane({}, uneven, Mirror::automatic, 1e-3, 1e-2));
  CHECK(mirror_plane({}, uneven, Mirror::y, 1e-3, 1e-2)->axis == 1);
  CHECK_FALSE(mirror_plane({}, uneven, Mirror::off, 1e-3, 1e-2));
}

TEST_CASE("left and right count more than front and back of a flat skeleton") {
  const std::vector<SceneJoint> joints = {
      joint_of("hips", -1, {0, 0, 0}), joint_of("arm.L", 0, {1, 1, 0}),
      joint_of("arm.R", 0, {-1, 1, 0}), joint_of("sword", 2, {-2, 1, 0})};
  std::vector<Eigen::Vector3d> positions;
  for (const SceneJoint& joint : joints)
    for (const double z : {-0.1, 0.1})
      positions.push_back(joint.bind.translation() + z * Eigen::Vector3d::UnitZ());
  CHECK(mirror_plane(joints, positions, Mirror::automatic, 1e-3, 1e-2)->axis == 0);
}
