#pragma once

// Tested by tests/unit/gvbind/surface_heat_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/base/bvh.h"
#include "gvbind/mesh_view.h"

namespace gvbind {

/// The places of a surface that heat flows between: vertices of one mesh at one position are one
/// place. Cube sides.
struct HeatSurface {
  std::vector<std::uint32_t> place;       ///< by vertex
  std::vector<Eigen::Vector3d> position;  ///< by place
  /// Of places, three different ones each. Of several on the same places the first. Triangles that
  /// rounding to the lattice cannot tell from a line are left out.
  std::vector<Triangle> triangles;
  std::vector<bool> two_sided;      ///< by triangle: stands there once for each side
  std::vector<std::uint32_t> part;  ///< by triangle: the mesh that it is of
  /// By place: mean of its triangles' normals, or zero. Two-sided triangles have none.
  std::vector<Eigen::Vector3d> normal;
  std::vector<std::uint32_t> piece;  ///< by place: lowest place that edges lead to

  std::size_t count() const { return position.size(); }
};

/// Places and triangles, without normals and pieces. `positions` in cube sides; `welded`: by
/// vertex, the first at its position; `part`: by vertex, the mesh that it is of; empty: one for
/// all.
HeatSurface heat_triangles(std::span<const Eigen::Vector3d> positions,
                           std::span<const Triangle> triangles,
                           std::span<const std::uint32_t> welded,
                           std::span<const std::uint32_t> part = {});

/// With normals and pieces.
HeatSurface heat_surface(HeatSurface triangles);

/// Whether places see points: the straight way must not enter the surface of the place's own mesh
/// from outside. It may leave the mesh, so that a bone outside is seen.
class HeatSight {
 public:
  explicit HeatSight(const HeatSurface& surface);
  bool sees(std::uint32_t place, const Eigen::Vector3d& point) const;

 private:
  const HeatSurface& surface_;
  std::vector<std::uint32_t> part_;  ///< by place
  std::vector<bool> used_;           ///< by place: has a triangle
  Bvh tree_;
};

}  // namespace gvbind
