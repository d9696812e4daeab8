#include "character/bone_axis.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>

using namespace gvbind;

namespace {

/// A joint whose axis k leads along `way`.
SceneJoint turned(const Eigen::Vector3d& at, int parent, int k, const Eigen::Vector3d& way) {
  SceneJoint joint;
  joint.parent = parent;
  joint.bind.linear() =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::Unit(k), way).toRotationMatrix();
  joint.bind.translation() = at;
  return joint;
}

const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(),
                      z = Eigen::Vector3d::UnitZ();

/// Thigh, shin and foot, the last a leaf that leads forward.
std::vector<SceneJoint> leg(int k) {
  return {turned({0, 4, 0}, -1, k, -y), turned({0, 3, 0}, 0, k, -y), turned({0, 2, 0}, 1, k, -y),
          turned({0, 1, 0}, 2, k, z)};
}

std::vector<Eigen::Vector3d> directions(const std::vector<SceneJoint>& joints) {
  return bone_directions(joints, chain_parents(joints));
}

/// A root with a chain of four along z and two loose joints, all of them its children.
std::vector<SceneJoint> flat_rig() {
  std::vector<SceneJoint> joints = {turned({0, 0, 0}, -1, 1, y)};
  for (const double at : {1, 2, 3, 4}) joints.push_back(turned({0, 1, at}, 0, 1, z));
  joints.push_back(turned({3, 1, 0}, 0, 1, x));
  joints.push_back(turned({-3, 2, 0}, 0, 1, -x));
  return joints;
}

}  // namespace

TEST_CASE("chains of a flat rig are found by where their bones end", "[bones]") {
  const std::vector<SceneJoint> joints = flat_rig();
  CHECK(chain_parents(joints) == std::vector<int>{-1, 0, 1, 2, 3, 0, 0});
  CHECK((directions(joints)[4] - z).norm() < 1e-9);
}

TEST_CASE("of two bones that end at a joint the nearer one leads to it", "[bones]") {
  std::vector<SceneJoint> joints = flat_rig();
  joints.insert(joints.begin() + 1, turned({0, 1, -5}, 0, 1, z));
  CHECK(chain_parents(joints) == std::vector<int>{-1, 0, 1, 2, 3, 4, 0, 0});
  joints[1].bind.translation() = Eigen::Vector3d(0, 1.001, -5);  // points at the same joints
  CHECK(chain_parents(joints) == std::vector<int>{-1, 0, 1, 2, 3, 4, 0, 0});
}

TEST_CASE("joints that point at each other by chance form no chains", "[bones]") {
  std::vector<SceneJoint> joints = flat_rig();
  std::vector<int> given = {-1, 0, 0, 0, 0, 0, 0};
  for (SceneJoint& joint : joints)  // the axes of the world, with y along the chain
    joint.bind.linear() = joints[1].bind.linear();
  CHECK(chain_parents(joints) == given);
  joints = flat_rig();
  for (int i = 0; i < 7; ++i) {  // three of thirteen
    joints.push_back(turned({5, 0.3 * i * i, 1.0 * i}, 0, 1, x));
    given.push_back(0);
  }
  CHECK(chain_parents(joints) == given);
}

TEST_CASE("a rig with parents of its own keeps them", "[bones]") {
  std::vector<SceneJoint> joints = flat_rig();
  const std::vector<int> given = {-1, 0, 0, 0, 0, 0, 0};
  for (const std::size_t j : {2, 3})  // two chains of two joints
    joints[j].bind.translation().y() = 1.2;
  CHECK(chain_parents(joints) == given);
  joints = flat_rig();
  joints.pop_back();  // five joints are no flat rig
  CHECK(chain_parents(joints) == std::vector<int>(given.begin(), given.end() - 1));
  joints = flat_rig();
  for (SceneJoint& joint : joints) joint.deforms = false;
  CHECK(chain_parents(joints) == given);
  std::reverse(joints.begin() + 1, joints.end());  // parents come before their children
  for (SceneJoint& joint : joints) joint.deforms = true;
  CHECK(chain_parents(joints) == given);
}

TEST_CASE("the axis that points at children tells where a leaf leads", "[bones]") {
  for (const int k : {0, 1, 2}) {
    const auto along = directions(leg(k));
    CHECK((along[3] - z).norm() < 1e-9);
    CHECK((along[0] + y).norm() < 1e-9);
  }
}

TEST_CASE("joints that are all turned alike tell nothing", "[bones]") {
  std::vector<SceneJoint> joints = leg(1);
  for (SceneJoint& joint : joints) joint.bind.linear().setIdentity();
  joints[2].bind.translation() = Eigen::Vector3d(0, 3, 1);  // so that -y has one joint of three
  joints[3].bind.translation() = Eigen::Vector3d(1, 3, 1);
  for (const Eigen::Vector3d& along : directions(joints)) CHECK(along.isZero());
  CHECK(directions({}).empty());
}

TEST_CASE("axes of the world tell nothing, even where they point at children", "[bones]") {
  std::vector<SceneJoint> joints = leg(1);
  for (SceneJoint& joint : joints)
    joint.bind.linear() = Eigen::Vector3d(1, -1, -1).asDiagonal();  // y is down
  joints.push_back(turned({0, 1, 1}, 3, 1, -y));
  joints[4].bind.linear() = -joints[0].bind.linear();  // mirrored
  for (const Eigen::Vector3d& along : directions(joints)) CHECK(along.isZero());
}

TEST_CASE("one joint is enough for Blender's axis alone", "[bones]") {
  const std::vector<SceneJoint> spine = {turned({0, 0, 0}, -1, 1, z), turned({0, 0, 1}, 0, 1, z),
                                         turned({0, 0, 0}, 0, 1, -y)};
  CHECK((directions(spine)[2] + y).norm() < 1e-9);
  const std::vector<SceneJoint> other = {turned({0, 0, 0}, -1, 0, z), turned({0, 0, 1}, 0, 0, z)};
  CHECK(directions(other)[1].isZero());
}

TEST_CASE("mirrored limbs lead backward along the axis", "[bones]") {
  std::vector<SceneJoint> joints = leg(0), left = leg(0);
  joints.push_back(turned({0, 0, 0}, 2, 0, z));
  for (SceneJoint& joint : left) {
    joint.bind.translation().x() = 1;
    joint.bind.linear().col(0) *= -1.0;
    if (joint.parent >= 0) joint.parent += 5;
    joints.push_back(joint);
  }
  const auto along = directions(joints);
  CHECK((along[4] - z).norm() < 1e-9);
  CHECK((along[7] + y).norm() < 1e-9);
  CHECK((along[8] - z).norm() < 1e-9);
}
