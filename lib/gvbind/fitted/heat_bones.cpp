#include "gvbind/fitted/heat_bones.h"

#include <cstddef>

namespace gvbind {

namespace {

constexpr double least_length = 5e-5;  // cube sides: nearer children are at the joint itself
constexpr double leaf_length = 0.5;    // of the parent's bone

/// By joint, the child with most joints below it, the first of several; -1 if all are at the joint.
std::vector<int> main_children(std::span<const Joint> joints,
                               const std::vector<Eigen::Vector3d>& place) {
  std::vector<std::size_t> below(joints.size(), 0);
  for (std::size_t j = joints.size(); j-- > 0;)
    if (joints[j].parent >= 0) below[static_cast<std::size_t>(joints[j].parent)] += below[j] + 1;
  std::vector<int> child(joints.size(), -1);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    int& best = child[parent];
    if (!((place[j] - place[parent]).norm() > least_length)) continue;
    if (best < 0 || below[j] > below[static_cast<std::size_t>(best)]) best = static_cast<int>(j);
  }
  return child;
}

Eigen::Vector3d cube_sides(const Eigen::Vector3i& point) {
  return point.cast<double>() / lattice_size;
}

}  // namespace

std::vector<HeatBone> heat_bones(const CharacterDistances& distances,
                                 std::span<const Joint> joints) {
  const Character& c = distances.character;
  std::vector<Eigen::Vector3d> place;
  for (const Joint& joint : joints) place.push_back(cube_sides(c.cube.to_lattice(joint.position)));
  const std::vector<int> child = main_children(joints, place);
  std::vector<HeatBone> bones;
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    if (!c.bones[j].empty()) {
      Eigen::Vector3d tail = place[j];
      if (child[j] >= 0)
        tail = place[static_cast<std::size_t>(child[j])];
      else if (joints[j].parent >= 0)
        tail += leaf_length * (place[j] - place[static_cast<std::size_t>(joints[j].parent)]);
      bones.push_back({j, place[j], tail});
    }
    for (std::size_t s = c.bones[j].size(); s < distances.bones[j].size(); ++s)
      bones.push_back(
          {j, cube_sides(distances.bones[j][s].a), cube_sides(distances.bones[j][s].b)});
  }
  return bones;
}

}  // namespace gvbind
