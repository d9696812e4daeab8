#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// A patch of the surface, about one sample cell wide.
struct SurfaceSample {
  Eigen::Vector3d at;      ///< lattice
  Eigen::Vector3d normal;  ///< unit, outward
  double share = 0.0;      ///< fraction of the surface's area
  MortonCode cell = 0;     ///< of the cells of 2^sample_level lattice steps
};

/// Sample cells are a 512th of the cube's side.
constexpr int sample_level = lattice_bits - 9;
constexpr double sample_spacing = 1 << sample_level;

/// The dominant axis of a normal with its sign, as one of six: 2 * axis, plus 1 where the component
/// is negative. A mirrored normal gives the mirrored one, also where two components tie.
int dominant_axis(const Eigen::Vector3d& normal);

/// The surface as samples, by cell: the area in one cell with one dominant axis is one sample.
/// Shares add up to 1; there are no samples if no triangle has area. A mesh that is inside out as a
/// whole (negative volume) is flipped. The samples do not depend on the order of vertices and
/// triangles but for rounding.
std::vector<SurfaceSample> surface_samples(const LatticeMesh& mesh);

}  // namespace gvbind
