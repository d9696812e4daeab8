#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "motion/pose_surface.h"
#include "motion/volume_parts.h"

namespace gvbind::motion {

/// Precomputed data of a scene for volume correction in every pose.
struct VolumeModel {
  /// The points of a component that a joint's rotation moves, with the summed weight of the joint's
  /// subtree.
  struct Moved {
    std::uint32_t joint = 0;
    bool blends = false;  ///< some of them only partially
    std::vector<std::uint32_t> points;
    std::vector<double> share;
  };
  PoseSurface surface;
  VolumeParts parts;
  std::vector<Eigen::Vector3d> field;  ///< U, by node
  std::vector<double> mask;            ///< by node
  std::vector<double> bound;           ///< by node, how far the correction may move it; bind space
  std::vector<double> node_area;       ///< by node, a third of its triangles' area
  std::vector<std::vector<Moved>> moved;          ///< by component, parents before children
  std::vector<std::vector<std::uint32_t>> below;  ///< by joint, its subtree
};

/// `mask`: by vertex of the surface, factor of the correction (section 5), or empty for 1. Negative
/// values invert the direction.
VolumeModel volume_model(const Scene& scene, std::span<const double> mask = {});

/// Remaining volume error of a component.
struct PartVolume {
  double target = 0.0;  ///< rest volume times the effect of joint scales; bind space cubed
  double linear = 0.0;  ///< with linear skinning
  double corrected = 0.0;
  double moved = 0.0;    ///< the farthest from linear skinning, without joint scales; bind space
  std::size_t held = 0;  ///< vertices at their bound
};

struct CorrectedPose {
  std::vector<Eigen::Vector3d> positions;  ///< by vertex, posed space
  std::vector<PartVolume> volumes;         ///< by component; zeros for those that are not solid
};

/// Linear blend skinning with volume preservation (von Funck et al. 2008). Joints are processed one
/// after the other, parents first. After each, every component with a volume is displaced along V =
/// S U' (eq. 8, 9) by the smallest root of eq. 3, which restores its volume before that joint. S is
/// D (1 - D), D: weight of the joint's subtree. This is the paper's product of the weights of
/// parent and joint if a vertex has no others. Displacements move with the joints processed later.
/// Errors left by the bound of a joint (a third of U) are finally corrected along the normals. No
/// vertex ends farther from linear skinning than its bound, times the scale of the joints.
/// Components that are not solid stay as linear skinning leaves them. The same bytes on any number
/// of threads.
CorrectedPose volume_positions(const VolumeModel& model, PoseSpan pose);

/// Volume errors of a pose, relative to the target, and the displacements of the correction.
struct VolumeError {
  double linear = 0.0, corrected = 0.0;    ///< of all components together, signed
  double worst_linear = 0.0, worst = 0.0;  ///< of the component with the largest error, absolute
  double moved = 0.0;    ///< the farthest that a vertex is from linear skinning, of the size
  std::size_t held = 0;  ///< vertices at their bound
};
VolumeError volume_error(const VolumeModel& model, const CorrectedPose& pose);

}  // namespace gvbind::motion
