#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_component = 0xffffffffu;

/// Welding: of every vertex, the lowest vertex at the same lattice point.
std::vector<std::uint32_t> welded_vertices(const LatticeMesh& mesh);

/// The connected components of a welded mesh.
struct Components {
  std::vector<std::uint32_t> component;  ///< of a vertex; no_component where no triangle uses it
  std::vector<std::uint32_t> vertices;   ///< of a component: how many welded vertices it has
  std::vector<std::vector<std::uint32_t>> triangles;  ///< of a component: indices, ascending

  std::size_t count() const { return vertices.size(); }
};

/// Components are numbered by their first triangle. `welded`: welded_vertices() of the mesh.
Components connected_components(const LatticeMesh& mesh, std::span<const std::uint32_t> welded);

/// A point on the surface of a component.
struct SurfacePoint {
  Eigen::Vector3i at;  ///< lattice
  std::uint32_t component;
};

/// Points all over the surface, no further apart than `spacing` lattice steps or a 40th of their
/// triangle; corners are among them, no point of a component twice. By component, then Morton code.
std::vector<SurfacePoint> surface_points(const LatticeMesh& mesh, const Components& components,
                                         double spacing);

}  // namespace gvbind
