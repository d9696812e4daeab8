#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// A piece of the surface, about a sample cell wide.
struct SurfaceSample {
  Eigen::Vector3d at;      ///< lattice
  Eigen::Vector3d normal;  ///< of length 1, out of the body
  double share = 0.0;      ///< of the surface's area
  MortonCode cell = 0;     ///< of the cells of 2^sample_level lattice steps
};

/// Sample cells are a 512th of the cube's side.
constexpr int sample_level = lattice_bits - 9;
constexpr double sample_spacing = 1 << sample_level;

/// The way that a normal faces, of six: the axis along which it is longest, times two, and one more
/// where it points down it. A mirrored normal faces the mirrored way, also where two axes tie.
int dominant_axis(const Eigen::Vector3d& normal);

/// The surface as samples, by cell: what lies in one cell and faces one way (of six) is one sample.
/// The shares add up to 1. None where no triangle has area. A mesh that is inside out as a whole
/// (its volume is negative) is turned round. Whatever the order of vertices and triangles, the
/// samples are the same up to rounding.
std::vector<SurfaceSample> surface_samples(const LatticeMesh& mesh);

}  // namespace gvbind
