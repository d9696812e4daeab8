#include "joints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>
#include <vector>

namespace gvbind {
namespace {

int find_joint(const Scene& scene, std::string_view name) {
  const auto found = std::ranges::find(scene.joints, name, &SceneJoint::name);
  return found == scene.joints.end() ? -1 : static_cast<int>(found - scene.joints.begin());
}

}  // namespace

void add_joint(Scene& scene, std::string_view parent, std::string_view name,
               const Eigen::Vector3d& place) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = find_joint(scene, parent);
  if (joint.parent < 0 && !parent.empty()) throw std::out_of_range(std::string(parent));
  joint.bind.translation() = place;
  scene.joints.push_back(joint);
}

void add_joint_pair(Scene& scene, std::string_view parent, std::string_view name,
                    const Eigen::Vector3d& place) {
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const std::string sided = std::string(parent) + side;
    const Eigen::Vector3d own = left ? place : Eigen::Vector3d(-place.x(), place.y(), place.z());
    add_joint(scene, find_joint(scene, sided) >= 0 ? sided : parent, std::string(name) + side, own);
  }
}

void point_frames_along_bones(Scene& scene) {
  std::vector<Eigen::Vector3d> along(scene.joints.size(), Eigen::Vector3d::Zero());
  const auto place = [&](std::size_t j) { return scene.joints[j].bind.translation(); };
  for (std::size_t j = scene.joints.size(); j-- > 1;) {
    const auto parent = static_cast<std::size_t>(std::max(0, scene.joints[j].parent));
    if (scene.joints[j].parent >= 0) along[parent] = place(j) - place(parent);
    if (along[j].isZero()) along[j] = place(j) - place(parent);
  }
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (!along[j].isZero())
      scene.joints[j].bind.linear() =
          Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitY(), along[j]).toRotationMatrix();
}

}  // namespace gvbind
