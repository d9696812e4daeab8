#include "gvbind/fitted/heat_bones.h"

#include <cmath>
#include <cstddef>
#include <optional>

namespace gvbind {

namespace {

constexpr double least_length = 5e-5;  // cube sides: nearer children are at the joint itself
constexpr double leaf_length = 0.5;    // of the parent's bone

/// By joint, where its bone ends: at the child with most joints below it, of several the one
/// furthest away, or in the middle of those as far, so that neither the order of joints nor a
/// mirror changes it; none if all children are at the joint.
std::vector<std::optional<Eigen::Vector3d>> main_tails(std::span<const Joint> joints,
                                                       const std::vector<Eigen::Vector3d>& place) {
  std::vector<std::size_t> below(joints.size(), 0);
  for (std::size_t j = joints.size(); j-- > 0;)
    if (joints[j].parent >= 0) below[static_cast<std::size_t>(joints[j].parent)] += below[j] + 1;
  struct Tail {
    std::size_t below = 0;
    double length = 0.0;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    int children = 0;
  };
  std::vector<Tail> tails(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    const double length = (place[j] - place[parent]).norm();
    if (!(length > least_length)) continue;
    Tail& tail = tails[parent];
    const bool as_far = std::abs(length - tail.length) <= least_length;
    if (tail.children > 0 &&
        (below[j] < tail.below || (below[j] == tail.below && length < tail.length && !as_far)))
      continue;
    if (tail.children == 0 || below[j] > tail.below || !as_far) tail = {below[j], length};
    tail.sum += place[j];
    ++tail.children;
  }
  std::vector<std::optional<Eigen::Vector3d>> made(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (tails[j].children > 0) made[j] = tails[j].sum / tails[j].children;
  return made;
}

Eigen::Vector3d cube_sides(const Eigen::Vector3i& point) {
  return point.cast<double>() / lattice_size;
}

/// The end of the bone of a joint without children. `place`: by joint, in cube sides.
Eigen::Vector3d leaf_tail(const Character& c, std::span<const Joint> joints,
                          std::span<const Eigen::Vector3d> place, std::uint32_t j) {
  const Eigen::Vector3d along = joints[j].along;
  Eigen::Vector3d before = Eigen::Vector3d::Zero();
  if (joints[j].parent >= 0) before = place[j] - place[static_cast<std::size_t>(joints[j].parent)];
  if (along.isZero()) return place[j] + leaf_length * before;
  if (before.norm() > least_length) return place[j] + leaf_length * before.norm() * along;
  return cube_sides(c.bones[j].front().b);  // no length is known but that to the surface
}

}  // namespace

std::vector<HeatBone> heat_bones(const CharacterDistances& distances,
                                 std::span<const Joint> joints) {
  const Character& c = distances.character;
  std::vector<Eigen::Vector3d> place;
  for (const Joint& joint : joints) place.push_back(cube_sides(c.cube.to_lattice(joint.position)));
  const std::vector<std::optional<Eigen::Vector3d>> tails = main_tails(joints, place);
  std::vector<HeatBone> bones;
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    if (!c.bones[j].empty()) {
      const Eigen::Vector3d tail = tails[j] ? *tails[j] : leaf_tail(c, joints, place, j);
      bones.push_back({j, place[j], tail});
    }
    for (std::size_t s = c.bones[j].size(); s < distances.bones[j].size(); ++s)
      bones.push_back(
          {j, cube_sides(distances.bones[j][s].a), cube_sides(distances.bones[j][s].b)});
  }
  return bones;
}

}  // namespace gvbind
