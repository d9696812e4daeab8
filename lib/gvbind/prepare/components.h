#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

constexpr std::uint32_t no_component = 0xffffffffu;

/// Welding: by vertex, the lowest vertex at the same lattice point.
std::vector<std::uint32_t> welded_vertices(const LatticeMesh& mesh);

/// The connected components of a welded mesh.
struct Components {
  std::vector<std::uint32_t> component;  ///< by vertex; no_component if no triangle uses it
  std::vector<std::uint32_t> vertices;   ///< by component: number of welded vertices
  std::vector<std::vector<std::uint32_t>> triangles;  ///< by component: indices, ascending

  std::size_t count() const { return vertices.size(); }
};

/// Components are numbered by their first triangle. `welded`: welded_vertices() of the mesh.
Components connected_components(const LatticeMesh& mesh, std::span<const std::uint32_t> welded);

/// A point on the surface of a component.
struct SurfacePoint {
  Eigen::Vector3i at;  ///< lattice
  std::uint32_t component;
};

/// Points covering the surface, at most max(`spacing`, a 40th of the triangle's size) apart in
/// lattice steps. Includes corners; no duplicates within a component. Sorted by component, then
/// Morton code.
std::vector<SurfacePoint> surface_points(const LatticeMesh& mesh, const Components& components,
                                         double spacing);

}  // namespace gvbind
