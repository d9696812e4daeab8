#pragma once

// Tested by tests/command/springs_file_test.py.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/gltf/gltf.h"
#include "retarget/rest_skeleton.h"
#include "vrm/hanging_joints.h"

namespace gvbind::vrm {

/// At the first and at the last joint of a chain, and between them in proportion.
using Range = std::pair<double, double>;

/// An entry of a user's file about chains. Values that are none are those of --springs auto.
struct GivenSpring {
  std::string place;                ///< "FILE:7"
  std::vector<std::string> joints;  ///< names or globs: chains begin at the topmost of these
  std::optional<Range> stiffness, gravity;  ///< in meters per second
  std::optional<Range> hit_radius;          ///< m
  std::optional<double> drag;               ///< 0 to 1
  /// Names of colliders of the file or of parts of the body; none: all of them within reach.
  std::optional<std::vector<std::string>> colliders;
};

/// A sphere, or with `tail` a capsule, that moves with a joint.
struct GivenCollider {
  std::string place, name, joint;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the axes of the joint, m
  std::optional<Eigen::Vector3d> tail = {};
  double radius = 0.0;  ///< m
};

struct GivenSprings {
  std::vector<GivenSpring> springs;
  std::vector<GivenCollider> colliders;
};

/// The node of that name. Throws Error(usage) that begins with `place`.
int node_named(const retarget::RestSkeleton& skeleton, const std::string& name,
               const std::string& place);

/// The chains of one entry. Where a chain parts, its first child goes on and each other begins a
/// chain. Throws Error(usage) for a name that no joint has, and for a joint that a spring or a
/// constraint moves already.
std::vector<HangingChain> given_chains(const GivenSpring& given,
                                       const retarget::RestSkeleton& skeleton, const NodeUse& use);

}  // namespace gvbind::vrm
