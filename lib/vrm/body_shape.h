#pragma once

// Tested by tests/unit/vrm/spring_values_test.cpp.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "character/node_scene.h"
#include "retarget/body_roles.h"

namespace gvbind::vrm {

/// The vertices of a skinned scene, each with the joint that has most of its weight. All lists are
/// by node of the scene.
struct JointVertices {
  /// In the world, where the node pose puts them if they follow this joint alone.
  std::vector<std::vector<Eigen::Vector3d>> owned;
  std::vector<bool> has_weight;  ///< of any vertex
};

JointVertices joint_vertices_of(const NodeScene& scene);

/// A sphere (`tail` = `center`) or capsule of the body.
struct BodyCollider {
  std::string part;              ///< as of BodyRoles; "torso"
  int node = -1;                 ///< that it moves with
  Eigen::Vector3d center, tail;  ///< in the world, in the node pose
  double radius = 0.0;           ///< in the world

  bool is_sphere() const { return center == tail; }
  /// From a point to the axis.
  double distance(const Eigen::Vector3d& point) const;
};

/// Measured from the vertices that follow each part: the head as a sphere, torso, arms and legs as
/// capsules, their radius the median distance from the axis. Parts with few vertices have none.
std::vector<BodyCollider> body_colliders(const retarget::RestSkeleton& skeleton,
                                         const retarget::BodyRoles& roles,
                                         const JointVertices& vertices);

}  // namespace gvbind::vrm
