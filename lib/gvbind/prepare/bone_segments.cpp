#include "gvbind/prepare/bone_segments.h"

#include <algorithm>
#include <cstddef>

#include "gvbind/prepare/winding_number.h"

namespace gvbind {

namespace {

/// Leaf segments end at this fraction of the distance to the surface, like artists' bones.
constexpr double fraction_to_surface = 0.85;
constexpr double coincident = 1e-3;  // of the size of the mesh or the skeleton
constexpr double ahead = 0.985;      // least cosine of a joint on the way of a bone: 10 degrees
constexpr double same_way = 0.5;     // least cosine of a child to which a joint's bone leads

/// A parent's bone that is shorter than `max_stub` times the longest of the bones before is no
/// measure for a leaf that has room for `min_room` times its length: a head on a neck of several
/// pieces. Measured in docs/measurements/weights.md.
constexpr double max_stub = 0.35, min_room = 3.0;
constexpr int bones_before = 3;

/// With less room than this fraction of its length a leaf stands outside the mesh or in a sheet, as
/// a wing or an ear, where the surface does not say how far its bone leads.
constexpr double min_depth = 0.1;

/// From the parent to the joint; zero at a root.
Eigen::Vector3d from_parent(std::span<const Joint> joints, const Joint& joint) {
  if (joint.parent < 0) return Eigen::Vector3d::Zero();
  return joint.position - joints[joint.parent].position;
}

/// How far a bone may lead whose joint has no parent at another place: to the next joint ahead.
double free_length(std::span<const Joint> joints, const Joint& joint, double size) {
  double length = size;
  for (const Joint& other : joints) {
    const Eigen::Vector3d way = other.position - joint.position;
    if (way.norm() > coincident * size && way.dot(joint.along) >= ahead * way.norm())
      length = std::min(length, way.norm() * fraction_to_surface);
  }
  return length;
}

/// How far a leaf's bone may lead: as far as the bone before it is long, or the longest of the last
/// few if that is a stub.
double length_before(std::span<const Joint> joints, const Joint& joint, const InsideQuery& inside) {
  const double own = from_parent(joints, joint).norm();
  double longest = own;
  int before = joint.parent;
  for (int k = 1; k < bones_before; ++k) {
    const int above = joints[before].parent;
    if (above < 0 || joints[above].parent < 0) break;  // a root's bones lead anywhere
    longest = std::max(longest, from_parent(joints, joints[before]).norm());
    before = above;
  }
  if (own >= max_stub * longest) return own;
  const double room = inside.depth(joint.position, joint.along, longest / fraction_to_surface);
  return room * fraction_to_surface >= min_room * own ? longest : own;
}

Segment leaf_segment(std::span<const Joint> joints, const Joint& joint, LeafRule rule,
                     const InsideQuery* inside) {
  Eigen::Vector3d offset = from_parent(joints, joint);
  double length = offset.norm();
  const bool has_axis = rule == LeafRule::surface && !joint.along.isZero();
  const bool has_length = inside && length > coincident * inside->size();
  if (has_axis) {
    if (inside)
      length = has_length ? length_before(joints, joint, *inside)
                          : free_length(joints, joint, inside->size());
    offset = length * joint.along;
  }
  if (rule == LeafRule::extend) return {joint.position, joint.position + offset / 2.0};
  if (rule != LeafRule::surface || !inside || !(length > 0.0))
    return {joint.position, joint.position};
  const Eigen::Vector3d direction = offset / length;
  double depth = inside->depth(joint.position, direction, length / fraction_to_surface);
  if (has_axis && has_length && depth < min_depth * length) depth = length;
  return {joint.position, joint.position + direction * depth * fraction_to_surface};
}

/// Whether one of the segments leads about where the joint's own bone does.
bool leads_along(const Eigen::Vector3d& along, const std::vector<Segment>& segments) {
  return std::ranges::any_of(segments, [&](const Segment& s) {
    return s.a != s.b && along.dot(s.b - s.a) >= same_way * (s.b - s.a).norm();
  });
}

void shorten_turned(const Eigen::Vector3d& offset, std::vector<Segment>& segments) {
  if (segments.size() < 2) return;
  for (Segment& s : segments)
    if (offset.dot(s.b - s.a) < 0.0) s.b = (s.a + s.b) / 2.0;
}

double size_of(std::span<const Joint> joints) {
  Eigen::AlignedBox3d box;
  for (const Joint& joint : joints) box.extend(joint.position);
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

/// By joint, whether it is the end of a bone whose place a file has lost: it does not deform, has
/// no children, and stands where a root above its parent does. No bone leads there.
std::vector<bool> lost_ends(std::span<const Joint> joints) {
  const double tolerance = coincident * size_of(joints);
  std::vector<bool> lost(joints.size(), false);
  std::vector<std::size_t> root(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool is_root = joints[i].parent < 0;
    const auto parent = static_cast<std::size_t>(joints[i].parent);
    root[i] = is_root ? i : root[parent];
    if (!is_root) lost[parent] = false;
    lost[i] = !is_root && !joints[i].deforms && root[i] != parent &&
              (joints[i].position - joints[root[i]].position).norm() <= tolerance;
  }
  return lost;
}

}  // namespace

std::vector<JointBones> bone_segments(std::span<const Joint> joints, const BoneOptions& options,
                                      const InsideQuery* inside,
                                      std::span<const int> continued_by) {
  std::vector<JointBones> bones(joints.size());
  const std::vector<bool> lost = lost_ends(joints);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].parent < 0 || lost[i]) continue;
    const auto parent = static_cast<std::size_t>(joints[i].parent);
    bones[parent].segments.push_back({joints[parent].position, joints[i].position});
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::vector<Segment>& segments = bones[i].segments;
    if (!joints[i].deforms) {
      segments.clear();
      continue;
    }
    if (options.shorten_turns) shorten_turned(from_parent(joints, joints[i]), segments);
    // A head whose children are its eyes and its jaw has a bone of its own beside those to them.
    const bool leads_on = options.leaf == LeafRule::surface && !joints[i].along.isZero() &&
                          !leads_along(joints[i].along, segments);
    if (!segments.empty() && !leads_on) continue;
    if (!continued_by.empty() && continued_by[i] >= 0)
      segments.push_back({joints[i].position, joints[continued_by[i]].position});
    else if (options.leaf != LeafRule::ignore)
      segments.push_back(leaf_segment(joints, joints[i], options.leaf, inside));
  }
  return bones;
}

}  // namespace gvbind
