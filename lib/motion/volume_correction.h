#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "motion/pose_surface.h"
#include "motion/volume_parts.h"

namespace gvbind {

/// What the volume correction of a scene needs in every pose.
struct VolumeModel {
  /// A joint's turn moves these vertices of a part: points of the part, with the weight of the
  /// joint and of all below it.
  struct Moved {
    std::uint32_t joint = 0;
    bool blends = false;  ///< some of them only in part
    std::vector<std::uint32_t> points;
    std::vector<double> share;
  };
  PoseSurface surface;
  VolumeParts parts;
  std::vector<Eigen::Vector3d> field;             ///< U, by node
  std::vector<double> mask;                       ///< by node
  std::vector<double> node_area;                  ///< by node, a third of its triangles
  std::vector<std::vector<Moved>> moved;          ///< by part, parents before children
  std::vector<std::vector<std::uint32_t>> below;  ///< by joint, itself and all below
};

/// `mask`: by vertex of the surface, what the correction is multiplied by (section 5), or empty for
/// 1. Negative values move the other way.
VolumeModel volume_model(const Scene& scene, std::span<const double> mask = {});

/// How much a part's volume is off, after all that was done.
struct PartVolume {
  double target = 0.0;  ///< of rest, times what scales of joints make of it; bind space cubed
  double linear = 0.0;  ///< by linear skinning
  double corrected = 0.0;
};

struct CorrectedPose {
  std::vector<Eigen::Vector3d> positions;  ///< by vertex, posed space
  std::vector<PartVolume> volumes;         ///< by part; zeros for sheets
};

/// Linear blend skinning with the volume kept (von Funck et al. 2008). Joints are turned one after
/// the other, parents first; after each, every part that holds a volume is displaced along
/// V = S U' (eq. 8, 9) by the smallest root of eq. 3. S is D (1 - D) with D the weight of the joint
/// and of all below it: the paper's product of the weights of parent and joint where a vertex has
/// no others. Each step keeps the volume that the part had before it. Displacements move on with
/// the joints that follow. Sheets are displaced as the largest part is, no farther. What bounds on
/// displacements (a third of U by one joint) leave over is corrected along the normals in the end.
/// The same bytes on any number of threads.
CorrectedPose volume_positions(const VolumeModel& model, PoseSpan pose);

/// Sums of a pose: how far the volume is from its target, as a part of it.
struct VolumeError {
  double linear = 0.0, corrected = 0.0;    ///< of all parts together, signed
  double worst_linear = 0.0, worst = 0.0;  ///< of the part that is farthest, not signed
};
VolumeError volume_error(const VolumeModel& model, const CorrectedPose& pose);

}  // namespace gvbind
