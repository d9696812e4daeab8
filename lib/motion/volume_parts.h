#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind::motion {

/// Whether a change of a component's volume is a fault of its skin.
enum class PartKind {
  solid,  ///< yes
  open,   ///< no: it encloses nothing, or mostly by its caps. Sheets, capes, skirts, ponchos
  thin,   ///< no: two faces with little between, as a blade, or cloth with a lining
};

/// A connected component of a surface with a volume. Its points are its nodes, followed by the
/// centers of caps, each the mean of nodes.
struct VolumePart {
  std::vector<std::uint32_t> nodes;              ///< of VolumeParts
  std::vector<std::vector<std::uint32_t>> caps;  ///< by cap, the points around its center
  std::vector<Triangle> triangles;               ///< of points; closed together with the caps
  double volume = 0.0;                           ///< at rest, signed, bind space cubed
  double area = 0.0;                             ///< of the triangles of the mesh, at rest
  double cap_area = 0.0;                         ///< of the caps, at rest
  PartKind kind = PartKind::open;
  std::vector<double> thickness;  ///< by node, at rest, as thickness_of()

  bool holds_volume() const { return kind == PartKind::solid; }
  std::size_t point_count() const { return nodes.size() + caps.size(); }
  bool closed() const { return caps.empty(); }
};

/// A surface split into connected components. Vertices with equal position and weights are one
/// node.
struct VolumeParts {
  std::vector<std::uint32_t> node_of;  ///< by vertex
  std::vector<std::uint32_t> vertex;   ///< by node, one of its vertices
  std::vector<VolumePart> parts;       ///< in the order of their first triangles
};

/// `mask`: by vertex, also separates nodes; or empty.
VolumeParts volume_parts(const PoseSurface& surface, std::span<const double> mask = {});

/// Sets the points of cap centers to the means of the points around them.
void fill_caps(const VolumePart& part, std::vector<Eigen::Vector3d>& points);

/// Eq. 1, relative to the first point.
double volume_of(const VolumePart& part, std::span<const Eigen::Vector3d> points);

/// Volume of points + x * directions as a polynomial in x (eq. 3), minus the volume at rest.
std::array<double, 4> volume_polynomial(const VolumePart& part,
                                        std::span<const Eigen::Vector3d> points,
                                        std::span<const Eigen::Vector3d> directions);

/// Unit normals by point, area-weighted; zero without a normal.
std::vector<Eigen::Vector3d> point_normals(const VolumePart& part,
                                           std::span<const Eigen::Vector3d> points);

}  // namespace gvbind::motion
