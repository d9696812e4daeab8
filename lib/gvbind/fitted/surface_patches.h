#pragma once

// Tested by tests/unit/gvbind/surface_heat_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_patch = 0xffffffffu;

/// A surface divided into patches small enough for one unknown each: the connected pieces of the
/// welded mesh within grid cells. Two fingers in one cell are two patches. If triangles are larger
/// than cells, each vertex is a patch.
struct SurfacePatches {
  std::vector<std::uint32_t> patch;     ///< by vertex; no_patch if no triangle uses it
  std::vector<Eigen::Vector3d> center;  ///< by patch: mean of its vertices, lattice
  std::vector<double> area;             ///< by patch, cube sides squared
  std::vector<std::uint32_t> first;     ///< neighbors of patch p: first[p] .. first[p + 1]
  std::vector<std::uint32_t> neighbor;  ///< ascending
  /// Conductance between two patches with centers at distance D: sum_e(cot_e |e|) / D over the
  /// edges e between them, cot_e half the sum of the cotangents of the angles opposite e. For
  /// patches of a single vertex this is the cotangent Laplacian.
  std::vector<double> conductance;
  int resolution = 0;  ///< cells per side

  std::size_t count() const { return center.size(); }
};

/// `welded`: welded_vertices() of the mesh. `resolution`: cells per side, a power of two.
SurfacePatches surface_patches(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                               int resolution);

}  // namespace gvbind
