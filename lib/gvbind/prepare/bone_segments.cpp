#include "gvbind/prepare/bone_segments.h"

#include <cstddef>

#include "gvbind/prepare/winding_number.h"

namespace gvbind {

namespace {

/// Leaf segments end at this fraction of the distance to the surface, like artists' bones.
constexpr double fraction_to_surface = 0.85;

/// From the parent to the joint; zero at a root.
Eigen::Vector3d from_parent(std::span<const Joint> joints, const Joint& joint) {
  if (joint.parent < 0) return Eigen::Vector3d::Zero();
  return joint.position - joints[joint.parent].position;
}

Segment leaf_segment(std::span<const Joint> joints, const Joint& joint, LeafRule rule,
                     const InsideQuery* inside) {
  const Eigen::Vector3d offset = from_parent(joints, joint);
  const double length = offset.norm();
  if (rule == LeafRule::extend) return {joint.position, joint.position + offset / 2.0};
  if (rule != LeafRule::surface || !inside || !(length > 0.0))
    return {joint.position, joint.position};
  const Eigen::Vector3d direction = offset / length;
  const double depth = inside->depth(joint.position, direction, length / fraction_to_surface);
  return {joint.position, joint.position + direction * depth * fraction_to_surface};
}

void shorten_turned(const Eigen::Vector3d& offset, std::vector<Segment>& segments) {
  if (segments.size() < 2) return;
  for (Segment& s : segments)
    if (offset.dot(s.b - s.a) < 0.0) s.b = (s.a + s.b) / 2.0;
}

}  // namespace

std::vector<JointBones> bone_segments(std::span<const Joint> joints, const BoneOptions& options,
                                      const InsideQuery* inside,
                                      std::span<const int> continued_by) {
  std::vector<JointBones> bones(joints.size());
  for (const Joint& joint : joints)
    if (joint.parent >= 0) {
      const auto parent = static_cast<std::size_t>(joint.parent);
      bones[parent].segments.push_back({joints[parent].position, joint.position});
    }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::vector<Segment>& segments = bones[i].segments;
    if (!joints[i].deforms) {
      segments.clear();
      continue;
    }
    if (options.shorten_turns) shorten_turned(from_parent(joints, joints[i]), segments);
    if (!segments.empty()) continue;
    if (!continued_by.empty() && continued_by[i] >= 0)
      segments.push_back({joints[i].position, joints[continued_by[i]].position});
    else if (options.leaf != LeafRule::ignore)
      segments.push_back(leaf_segment(joints, joints[i], options.leaf, inside));
  }
  return bones;
}

}  // namespace gvbind
