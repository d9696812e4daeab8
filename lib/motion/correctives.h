#pragma once

// Tested by tests/unit/motion/correctives_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind::motion {

/// Correction of a pose by vertex, in bind space, added before skinning.
using RestOffsets = std::vector<Eigen::Vector3f>;

/// T^-1 (target - linear), with T the blended transform of each vertex. Nearly collapsed directions
/// of T (below a tenth of its largest scale) are clamped to that tenth. Zero if the target is
/// within 1e-7 of the surface's size of linear skinning, or is not finite.
RestOffsets rest_offsets(const PoseSurface& surface, PoseSpan pose,
                         std::span<const Eigen::Vector3d> target);

/// Linear skinning of rest + offsets, one position per vertex.
std::vector<Eigen::Vector3d> offset_positions(const PoseSurface& surface, PoseSpan pose,
                                              std::span<const Eigen::Vector3f> offsets);

/// Shapes whose weighted sums approximate offsets.
struct Correctives {
  std::vector<RestOffsets> shapes;
  std::vector<std::vector<double>> weights;  ///< by sample, one per shape
};

/// The `count` shapes that best approximate all samples in the least-squares sense, by falling
/// singular value: a truncated SVD from the samples' Gram matrix. Fewer if the samples have lower
/// rank. The largest weight of each is 1. If some weights would be negative, which Blender clamps,
/// the samples are decomposed without their mean; then weights are between 0 and 1, and the last
/// shape has weight 1 in all samples. A single shape may have weights down to -1. The same bytes on
/// any number of threads.
Correctives fit_correctives(std::span<const RestOffsets> samples, std::size_t count);

/// A sample's offsets as approximated by the correctives.
RestOffsets blended_offsets(const Correctives& correctives, std::size_t sample);

}  // namespace gvbind::motion
