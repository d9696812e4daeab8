#include "preview/poses.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace gvbind {
namespace {

using Eigen::Affine3d;
using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const Quaterniond quarter_about_z(AngleAxisd(M_PI / 2, Vector3d::UnitZ()));

SceneJoint joint(const char* name, int parent, const Affine3d& bind) {
  SceneJoint result;
  result.name = name;
  result.parent = parent;
  result.bind = bind;
  return result;
}

/// Joints at x = 0, 1, 2, each the parent of the next.
std::vector<SceneJoint> chain() {
  return {joint("a", -1, Affine3d(Eigen::Translation3d(0, 0, 0))),
          joint("b", 0, Affine3d(Eigen::Translation3d(1, 0, 0))),
          joint("c", 1, Affine3d(Eigen::Translation3d(2, 0, 0)))};
}

void check_near(const Vector3d& found, const Vector3d& expected) {
  INFO("found " << found.transpose() << ", expected " << expected.transpose());
  CHECK((found - expected).norm() < 1e-12);
}

SceneMesh points(std::vector<Vector3d> positions) {
  SceneMesh mesh;
  mesh.positions = std::move(positions);
  return mesh;
}

void add_row(SkinWeights& weights, std::vector<std::pair<std::uint32_t, float>> row) {
  for (const auto& [joint, weight] : row) {
    weights.joint.push_back(joint);
    weights.weight.push_back(weight);
  }
  weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
}

}  // namespace

TEST_CASE("without turns every joint's pose is the identity") {
  const auto joints = chain();
  const std::vector<Quaterniond> none(3, Quaterniond::Identity());
  for (const Affine3d& pose : preview::pose_joints(joints, none))
    CHECK((pose.matrix() - Eigen::Matrix4d::Identity()).norm() < 1e-15);
  CHECK(preview::pose_joints(joints, {}).size() == 3);
}

TEST_CASE("a rotated joint moves its descendants") {
  const auto joints = chain();
  const auto pose = preview::pose_joints(
      joints, std::vector{Quaterniond::Identity(), quarter_about_z, Quaterniond::Identity()});
  check_near(pose[0] * Vector3d(3, 0, 0), {3, 0, 0});
  check_near(pose[1] * Vector3d(3, 0, 0), {1, 2, 0});
  check_near(pose[2] * Vector3d(3, 0, 0), {1, 2, 0});
}

TEST_CASE("turns add up along a chain") {
  const auto joints = chain();
  const auto pose = preview::pose_joints(joints, std::vector(3, quarter_about_z));
  check_near(pose[0] * Vector3d(1, 0, 0), {0, 1, 0});
  check_near(pose[1] * Vector3d(2, 0, 0), {-1, 1, 0});
  check_near(pose[2] * Vector3d(3, 0, 0), {-1, 0, 0});
}

TEST_CASE("a turn is in the joint's own frame") {
  auto joints = chain();
  // The joint's z axis points along the x axis of bind space.
  joints[1].bind = Eigen::Translation3d(1, 0, 0) * AngleAxisd(M_PI / 2, Vector3d::UnitY());
  const auto pose = preview::pose_joints(
      joints, std::vector{Quaterniond::Identity(), quarter_about_z, Quaterniond::Identity()});
  check_near(pose[1] * Vector3d(1, 1, 0), {1, 0, 1});
  check_near(pose[1] * Vector3d(5, 0, 0), {5, 0, 0});
}

TEST_CASE("scale in a bind does not reach the pose") {
  auto joints = chain();
  for (SceneJoint& j : joints) j.bind.scale(100.0);
  const auto pose = preview::pose_joints(
      joints, std::vector{Quaterniond::Identity(), quarter_about_z, Quaterniond::Identity()});
  check_near(pose[2] * Vector3d(3, 0, 0), {1, 2, 0});
}

TEST_CASE("a mirrored bind turns the other way") {
  auto joints = chain();
  joints[1].bind = Eigen::Translation3d(1, 0, 0) * Eigen::Scaling(-1.0, 1.0, 1.0);
  const auto pose = preview::pose_joints(
      joints, std::vector{Quaterniond::Identity(), quarter_about_z, Quaterniond::Identity()});
  check_near(pose[1] * Vector3d(3, 0, 0), {1, -2, 0});
}

TEST_CASE("an uneven scale shears the pose as the file's own frames do") {
  auto joints = chain();
  joints[1].bind = Eigen::Translation3d(1, 0, 0) * Eigen::Scaling(2.0, 1.0, 1.0);
  const auto pose = preview::pose_joints(
      joints, std::vector{Quaterniond::Identity(), quarter_about_z, Quaterniond::Identity()});
  // (2, 0, 0) from the joint is (1, 0, 0) in its frame; rotated (0, 1, 0), also in bind space.
  check_near(pose[1] * Vector3d(3, 0, 0), {1, 1, 0});
}

TEST_CASE("a joint of scale zero moves with its parent") {
  auto joints = chain();
  joints[1].bind.linear().setZero();
  const auto pose = preview::pose_joints(joints, std::vector(3, quarter_about_z));
  check_near(pose[1] * Vector3d(1, 0, 0), {0, 1, 0});
  CHECK(pose[2].matrix().allFinite());
}

TEST_CASE("skinning blends the poses by weight") {
  const auto pose = preview::pose_joints(
      chain(), std::vector{Quaterniond::Identity(), quarter_about_z, Quaterniond::Identity()});
  SceneMesh mesh = points({{3, 0, 0}, {3, 0, 0}, {3, 0, 0}, {3, 0, 0}});
  add_row(mesh.weights, {{0, 1.0F}});
  add_row(mesh.weights, {{1, 1.0F}});
  add_row(mesh.weights, {{1, 0.75F}, {0, 0.25F}});
  add_row(mesh.weights, {});
  const auto skinned = preview::skin_positions(mesh, pose);
  REQUIRE(skinned.size() == 4);
  check_near(skinned[0], {3, 0, 0});
  check_near(skinned[1], {1, 2, 0});
  check_near(skinned[2], {1.5, 1.5, 0});
  check_near(skinned[3], {3, 0, 0});
}

TEST_CASE("rows that do not sum to one do not shrink the mesh") {
  const auto pose = preview::pose_joints(chain(), {});
  SceneMesh mesh = points({{3, 1, 2}});
  add_row(mesh.weights, {{0, 0.25F}, {1, 0.25F}});
  check_near(preview::skin_positions(mesh, pose)[0], {3, 1, 2});
}

TEST_CASE("a mesh without a skin stays") {
  const SceneMesh mesh = points({{3, 1, 2}, {4, 5, 6}});
  CHECK(preview::skin_positions(mesh,
                                preview::pose_joints(chain(), std::vector(3, quarter_about_z))) ==
        mesh.positions);
}

}  // namespace gvbind
