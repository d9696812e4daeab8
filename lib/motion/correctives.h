#pragma once

// Tested by tests/unit/motion/correctives_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind {

/// What a pose lacks, by vertex: bind space, to be added before skinning.
using RestOffsets = std::vector<Eigen::Vector3f>;

/// T^-1 (target - linear) with T the blended transform of each vertex. Directions in which T has
/// all but collapsed (below a tenth of its largest scale) count as that tenth. Zero where the
/// target is where linear skinning is, to 1e-7 of the surface's size, or is not finite.
RestOffsets rest_offsets(const PoseSurface& surface, PoseSpan pose,
                         std::span<const Eigen::Vector3d> target);

/// Linear skinning of rest + offsets, one position a vertex.
std::vector<Eigen::Vector3d> offset_positions(const PoseSurface& surface, PoseSpan pose,
                                              std::span<const Eigen::Vector3f> offsets);

/// Shapes whose weighed sums stand for offsets.
struct Correctives {
  std::vector<RestOffsets> shapes;
  std::vector<std::vector<double>> weights;  ///< by sample, one per shape
};

/// The `count` shapes that come nearest to all samples in the least squares, by falling share: a
/// truncated singular value decomposition by the samples' Gram matrix. Fewer where the samples hold
/// no more. The largest weight of each is 1. Where some would be negative, which Blender clamps,
/// the samples are decomposed without their mean: weights are 0 to 1, and the last shape has weight
/// 1 in all samples. One shape alone may have weights down to -1. The same bytes on any number of
/// threads.
Correctives fit_correctives(std::span<const RestOffsets> samples, std::size_t count);

/// The offsets that correctives give for a sample.
RestOffsets blended_offsets(const Correctives& correctives, std::size_t sample);

}  // namespace gvbind
