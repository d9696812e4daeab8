#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_part = 0xffffffffu;

/// Of every vertex, the lowest vertex at the same lattice point.
std::vector<std::uint32_t> welded_places(const UnitScene& scene);

/// The connected parts of a mesh. Vertices at one lattice point are one.
struct MeshParts {
  std::vector<std::uint32_t> part;      ///< of a vertex; no_part where no triangle uses it
  std::vector<std::uint32_t> vertices;  ///< of a part: how many distinct places its vertices have
  std::vector<std::vector<std::uint32_t>> triangles;  ///< of a part: their indices, ascending

  std::size_t count() const { return vertices.size(); }
};

/// Parts are numbered by their first triangle.
MeshParts mesh_parts(const UnitScene& scene);

/// A place on a part's surface.
struct SurfacePoint {
  Eigen::Vector3i at;  ///< lattice
  std::uint32_t part;
};

/// Points all over the surface, no further apart than `spacing` lattice steps or a 40th of their
/// triangle; corners are among them, no place of a part twice. By part, then place.
std::vector<SurfacePoint> surface_points(const UnitScene& scene, const MeshParts& parts,
                                         double spacing);

}  // namespace gvbind
