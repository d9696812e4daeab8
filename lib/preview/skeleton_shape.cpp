#include "preview/skeleton_shape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "preview/camera.h"

namespace gvbind {
namespace {

constexpr double shortest_limb = 0.15;  ///< of the whole skeleton's longest reach
constexpr double min_segment = 0.6;     ///< of a limb's longest segment
constexpr int flexible_joints = 4;

struct Shape {
  const std::vector<SceneJoint>& joints;
  ViewRotation axes;  ///< rows: left, up, front
  std::vector<std::vector<std::size_t>> children;
  std::vector<double> reach;    ///< longest path down to a tip
  std::vector<int> main_child;  ///< on that path; -1 at a tip
  std::vector<int> limbs;       ///< limbs that hang from a joint, itself one at least
  Eigen::Vector3d low = Eigen::Vector3d::Constant(HUGE_VAL);  ///< along the axes
  Eigen::Vector3d high = Eigen::Vector3d::Constant(-HUGE_VAL);

  Eigen::Vector3d position(std::size_t j) const { return joints[j].bind.translation(); }
  double length(std::size_t parent, std::size_t child) const {
    return (position(child) - position(parent)).norm();
  }
};

Shape measure(const Scene& scene) {
  const std::size_t count = scene.joints.size();
  Shape shape{scene.joints,
              view_of(scene.units, 0.0),
              std::vector<std::vector<std::size_t>>(count),
              std::vector<double>(count, 0.0),
              std::vector<int>(count, -1),
              std::vector<int>(count, 1)};
  double longest = 0.0;
  for (std::size_t j = count; j-- > 0;) {
    longest = std::max(longest, shape.reach[j]);
    const Eigen::Vector3d seen = shape.axes * shape.position(j);
    shape.low = shape.low.cwiseMin(seen);
    shape.high = shape.high.cwiseMax(seen);
    if (scene.joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(scene.joints[j].parent);
    shape.children[parent].insert(shape.children[parent].begin(), j);
    const double path_length = shape.reach[j] + shape.length(parent, j);
    if (path_length < shape.reach[parent] && shape.main_child[parent] >= 0) continue;
    shape.reach[parent] = path_length;
    shape.main_child[parent] = static_cast<int>(j);
  }
  for (std::size_t j = count; j-- > 0;) {
    int limbs = 0;
    for (const std::size_t child : shape.children[j])
      if (shape.reach[child] + shape.length(j, child) >= shortest_limb * longest)
        limbs += shape.limbs[child];
    shape.limbs[j] = std::max(1, limbs);
  }
  return shape;
}

Eigen::Vector3d segment_of(const Shape& shape, std::size_t j) {
  if (shape.main_child[j] >= 0)
    return shape.position(static_cast<std::size_t>(shape.main_child[j])) - shape.position(j);
  const int parent = shape.joints[j].parent;
  if (parent < 0) return Eigen::Vector3d::Zero();
  return shape.position(j) - shape.position(static_cast<std::size_t>(parent));
}

/// The joints of a limb's main line, from its first joint to the tip.
std::vector<std::size_t> main_line(const Shape& shape, std::size_t first) {
  std::vector<std::size_t> line = {first};
  while (shape.main_child[line.back()] >= 0)
    line.push_back(static_cast<std::size_t>(shape.main_child[line.back()]));
  return line;
}

/// How far left the middle one of a limb's joints is: an ear does not move a neck aside.
double middle_left(const Shape& shape, const std::vector<std::size_t>& line) {
  std::vector<double> values;
  for (const std::size_t j : line) values.push_back(shape.axes.row(0).dot(shape.position(j)));
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void describe_limb(const Shape& shape, std::size_t first, std::vector<LimbRole>& roles) {
  const std::vector<std::size_t> line = main_line(shape, first);
  const double length = shape.reach[first];
  const Eigen::Vector3d start = shape.axes * shape.position(first);
  const Eigen::Vector3d tip = shape.axes * shape.position(line.back());
  const Eigen::Vector3d size = shape.high - shape.low;
  const Eigen::Vector3d middle = 0.5 * (shape.high + shape.low);

  LimbRole role;
  const double aside = middle_left(shape, line) - middle.x();
  if (std::abs(aside) > 0.05 * size.x()) role.side = aside > 0.0 ? 1.0 : -1.0;
  if (size.z() > 0.5 * size.y() && start.z() < middle.z()) role.half = -1.0;
  const bool grounded = tip.y() - shape.low.y() < 0.15 * size.y();
  const bool hanging = start.y() - tip.y() > 0.5 * length;
  role.kind = grounded && hanging ? LimbKind::leg
              : role.side != 0.0  ? LimbKind::arm
                                  : LimbKind::middle;

  double longest = 0.0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
    longest = std::max(longest, segment_of(shape, line[i]).norm());
  const auto segments = static_cast<int>(line.size()) - 1;
  role.flexible = segments >= flexible_joints && longest < 1.7 * length / segments;
  if (role.flexible)
    role.share = 2.0 / segments;
  else if (role.kind == LimbKind::middle)
    role.share = 2.0 / (segments + 2);
  role.bends = true;
  bool begun = false;
  for (const std::size_t j : line) {
    role.segment = segment_of(shape, j);
    // A collarbone is no shoulder: short joints before the first long one hardly turn.
    const bool counts = role.segment.norm() >= min_segment * longest || begun;
    roles[j] = role;
    if (!counts && !role.flexible) roles[j].share = 0.1;
    if (counts) ++role.index_in_limb;
    begun = begun || counts;
  }
}

}  // namespace

std::vector<LimbRole> limb_roles(const Scene& scene) {
  const Shape shape = measure(scene);
  std::vector<LimbRole> roles(scene.joints.size());
  int bending_trunk = 0;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    const int parent = scene.joints[j].parent;
    const bool in_trunk = shape.limbs[j] >= 2;
    if (in_trunk) {
      roles[j].segment = segment_of(shape, j);
      roles[j].bends = parent >= 0;
      bending_trunk += roles[j].bends ? 1 : 0;
      continue;
    }
    const bool begins = parent < 0 || shape.limbs[static_cast<std::size_t>(parent)] >= 2;
    const double path_length =
        shape.reach[j] + (parent < 0 ? 0.0 : shape.length(static_cast<std::size_t>(parent), j));
    if (begins && path_length > 0.0) describe_limb(shape, j, roles);
  }
  for (LimbRole& role : roles)
    if (role.kind == LimbKind::trunk) role.share = 1.0 / std::max(1, bending_trunk);
  return roles;
}

}  // namespace gvbind
