#include "gvbind/influence.h"

#include <cstddef>

namespace gvbind {

namespace {

Segment extended_leaf(std::span<const JointPoint> joints, const JointPoint& joint) {
  Eigen::Vector3d half = Eigen::Vector3d::Zero();
  if (joint.parent >= 0)
    half = (joint.position - joints[static_cast<std::size_t>(joint.parent)].position) / 2.0;
  return {joint.position, joint.position + half};
}

}  // namespace

std::vector<Influence> influences_of_joints(std::span<const JointPoint> joints,
                                            const InfluenceOptions& options) {
  std::vector<Influence> influences(joints.size());
  for (const JointPoint& joint : joints)
    if (joint.parent >= 0) {
      const auto parent = static_cast<std::size_t>(joint.parent);
      influences[parent].segments.push_back({joints[parent].position, joint.position});
    }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::vector<Segment>& segments = influences[i].segments;
    if (!joints[i].deforms)
      segments.clear();
    else if (segments.empty() && options.leaf == LeafRule::extend)
      segments.push_back(extended_leaf(joints, joints[i]));
    else if (segments.empty() && options.leaf == LeafRule::point)
      segments.push_back({joints[i].position, joints[i].position});
  }
  return influences;
}

}  // namespace gvbind
