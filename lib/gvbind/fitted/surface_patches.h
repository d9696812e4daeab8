#pragma once

// Tested by tests/unit/gvbind/surface_heat_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_patch = 0xffffffffu;

/// A surface in pieces that are small enough to be one unknown each: the connected pieces of the
/// welded mesh within the cells of a grid. Where triangles are larger than cells, each vertex is
/// a patch of its own. Fingers that share a cell are two patches.
struct SurfacePatches {
  std::vector<std::uint32_t> patch;     ///< of a vertex; no_patch where no triangle uses it
  std::vector<Eigen::Vector3d> center;  ///< of a patch: the mean of its vertices, lattice
  std::vector<double> area;             ///< of a patch, cube sides squared
  std::vector<std::uint32_t> first;     ///< patch p has the neighbors first[p] .. first[p + 1]
  std::vector<std::uint32_t> neighbor;  ///< ascending
  /// How well heat flows between two patches whose centers are D apart, from the edges e that
  /// join them: sum_e(cot_e |e|) / D, cot_e half the sum of the cotangents of the angles that face
  /// the edge. For patches of one vertex this is the cotangent Laplacian.
  std::vector<double> conductance;
  int resolution = 0;  ///< cells a side

  std::size_t count() const { return center.size(); }
};

/// `welded`: welded_vertices() of the mesh. `resolution`: cells a side, a power of two.
SurfacePatches surface_patches(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                               int resolution);

}  // namespace gvbind
