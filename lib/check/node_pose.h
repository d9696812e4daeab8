#pragma once

// Tested by tests/command/judge_test.py.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind::check {

struct NodePoseOptions {
  double same_scale = 1.5;     ///< minimum scale, or its inverse, of a joint that counts as scaled
  double stretch = 10.0;       ///< ratio above which an edge is torn
  double torn_share = 1e-3;    ///< minimum fraction of torn edges for a finding
  double pull = 3.0;           ///< ratio that many edges exceed only in a skin that is no pose
  double pulled_share = 0.01;  ///< minimum fraction of such edges for a finding
  /// With the matrices of the file's skins, not with the joints' binds, and then `pull` counts.
  bool as_in_file = false;
  double shortest = 1e-3;  ///< shorter edges are ignored, relative to the mesh's size
};

/// Checks a skin in the pose of the file's nodes. Finding "node-pose": edges stretch far more there
/// than the scale of their joints, because a node scales its joint and the bind does not (a weapon
/// whose node carries its scale), or because matrices and joints do not go together. `nodes`: by
/// joint of the scene, node -> world. `weights`: by mesh, or empty.
Findings node_pose_findings(const Scene& scene, std::span<const SkinWeights* const> weights,
                            std::span<const Eigen::Affine3d> nodes,
                            const NodePoseOptions& options = {});

}  // namespace gvbind::check
