#include "gvbind/influence.h"

#include <cstddef>

#include "gvbind/body.h"

namespace gvbind {

namespace {

/// A leaf's segment ends this part of the way to the surface, as bones do.
constexpr double part_to_surface = 0.85;

/// From the parent to the joint; zero at a root.
Eigen::Vector3d way_to(std::span<const JointPoint> joints, const JointPoint& joint) {
  if (joint.parent < 0) return Eigen::Vector3d::Zero();
  return joint.position - joints[static_cast<std::size_t>(joint.parent)].position;
}

Segment leaf_segment(std::span<const JointPoint> joints, const JointPoint& joint, LeafRule rule,
                     const Body* body) {
  const Eigen::Vector3d way = way_to(joints, joint);
  const double length = way.norm();
  if (rule == LeafRule::extend) return {joint.position, joint.position + way / 2.0};
  if (rule != LeafRule::surface || !body || !(length > 0.0))
    return {joint.position, joint.position};
  const Eigen::Vector3d direction = way / length;
  const double depth = body->depth(joint.position, direction, length / part_to_surface);
  return {joint.position, joint.position + direction * depth * part_to_surface};
}

void shorten_turned(const Eigen::Vector3d& way, std::vector<Segment>& segments) {
  if (segments.size() < 2) return;
  for (Segment& s : segments)
    if (way.dot(s.b - s.a) < 0.0) s.b = (s.a + s.b) / 2.0;
}

}  // namespace

std::vector<Influence> influences_of_joints(std::span<const JointPoint> joints,
                                            const InfluenceOptions& options, const Body* body,
                                            std::span<const int> continued_by) {
  std::vector<Influence> influences(joints.size());
  for (const JointPoint& joint : joints)
    if (joint.parent >= 0) {
      const auto parent = static_cast<std::size_t>(joint.parent);
      influences[parent].segments.push_back({joints[parent].position, joint.position});
    }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::vector<Segment>& segments = influences[i].segments;
    if (!joints[i].deforms) {
      segments.clear();
      continue;
    }
    if (options.shorten_turns) shorten_turned(way_to(joints, joints[i]), segments);
    if (!segments.empty()) continue;
    if (!continued_by.empty() && continued_by[i] >= 0)
      segments.push_back(
          {joints[i].position, joints[static_cast<std::size_t>(continued_by[i])].position});
    else if (options.leaf != LeafRule::ignore)
      segments.push_back(leaf_segment(joints, joints[i], options.leaf, body));
  }
  return influences;
}

}  // namespace gvbind
