#pragma once

// Tested by tests/command/judge_test.py.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind::check {

struct NodePoseOptions {
  double same_scale = 1.5;   ///< minimum scale, or its inverse, of a joint that counts as scaled
  double stretch = 10.0;     ///< ratio above which an edge is torn
  double torn_share = 1e-3;  ///< minimum fraction of torn edges for a finding
  double shortest = 1e-3;    ///< shorter edges are ignored, relative to the mesh's size
};

/// Checks a skin in the pose of the file's nodes, if that scales joints differently than their bind
/// (a weapon whose node carries its scale). Finding "node-pose": edges stretch far more there than
/// the scale of their joints. None if no joint is scaled. `nodes`: by joint of the scene, node ->
/// world. `weights`: by mesh, or empty.
Findings node_pose_findings(const Scene& scene, std::span<const SkinWeights* const> weights,
                            std::span<const Eigen::Affine3d> nodes,
                            const NodePoseOptions& options = {});

}  // namespace gvbind::check
