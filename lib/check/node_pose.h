#pragma once

// Tested by tests/command/judge_test.py.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

struct NodePoseOptions {
  double same_scale =
      1.5;                ///< a joint is scaled where it is by more than this, or less than 1 by it
  double stretch = 10.0;  ///< an edge is torn beyond this ratio
  double torn_share = 1e-3;  ///< of the edges, from which on there is a finding
  double shortest = 1e-3;    ///< edges shorter than this part of the mesh's size do not count
};

/// A skin in the pose that the file's nodes hold, where that scales joints as their bind does not
/// (a weapon whose node carries its scale). Finding "node-pose": edges stretch there by far more
/// than the joints that move them are scaled. None where no joint is scaled.
/// `nodes`: of each joint of the scene, node -> world. `weights`: of each mesh, or empty.
Findings node_pose_findings(const Scene& scene, std::span<const SkinWeights* const> weights,
                            std::span<const Eigen::Affine3d> nodes,
                            const NodePoseOptions& options = {});

}  // namespace gvbind
