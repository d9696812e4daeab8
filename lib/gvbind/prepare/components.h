#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_component = 0xffffffffu;

/// Of every vertex, the lowest vertex at the same lattice point.
std::vector<std::uint32_t> welded_vertices(const UnitScene& scene);

/// The connected parts of a mesh. Vertices at one lattice point are one.
struct Components {
  std::vector<std::uint32_t> component;  ///< of a vertex; no_component where no triangle uses it
  std::vector<std::uint32_t> vertices;   ///< of a part: how many distinct places its vertices have
  std::vector<std::vector<std::uint32_t>> triangles;  ///< of a part: their indices, ascending

  std::size_t count() const { return vertices.size(); }
};

/// Parts are numbered by their first triangle.
Components connected_components(const UnitScene& scene);

/// A place on a part's surface.
struct SurfacePoint {
  Eigen::Vector3i at;  ///< lattice
  std::uint32_t component;
};

/// Points all over the surface, no further apart than `spacing` lattice steps or a 40th of their
/// triangle; corners are among them, no place of a part twice. By part, then place.
std::vector<SurfacePoint> surface_points(const UnitScene& scene, const Components& components,
                                         double spacing);

}  // namespace gvbind
