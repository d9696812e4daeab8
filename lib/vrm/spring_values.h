#pragma once

// Tested by tests/unit/vrm/spring_values_test.cpp.

#include <vector>

#include "vrm/body_shape.h"
#include "vrm/hanging_joints.h"

namespace gvbind::vrm {

/// One joint of a spring, in the terms of VRMC_springBone 1.0. Forces are in meters per second.
struct SpringJoint {
  int node = -1;
  double hit_radius = 0.0;  ///< m
  double stiffness = 0.0;   ///< pulls back to the rest pose
  double gravity = 0.0;     ///< pulls down
  double drag = 0.0;        ///< 0 to 1, the share of the speed that is lost in a step
};

struct Spring {
  HangKind kind = HangKind::other;
  std::vector<SpringJoint> joints;
  /// The end of the last joint in the world; used where no node of the file marks it.
  Eigen::Vector3d tip = Eigen::Vector3d::Zero();
  bool needs_tip_node = false;
  std::vector<std::size_t> colliders;
};

/// Values by kind and depth: stiffness falls toward the tip, and gravity grows, less where it would
/// turn a joint from its rest by more than about a degree. `height`: of the body, m; forces are for
/// 1.6 m and grow with it. Chains without a length have no joints.
Spring spring_of(const HangingChain& chain, const retarget::RestSkeleton& skeleton,
                 const JointVertices& vertices, double height);

/// Chooses the colliders that each spring can reach, and shrinks these until no joint at rest
/// touches one: that would move the chain before anything else does. A collider that would lose
/// more than 40 % of its radius to a spring is left out for that spring.
void match_colliders(std::vector<Spring>& springs, std::vector<BodyCollider>& colliders,
                     const retarget::RestSkeleton& skeleton);

}  // namespace gvbind::vrm
