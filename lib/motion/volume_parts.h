#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind {

/// A connected part of a surface whose volume can be measured. Its points are its nodes and behind
/// them the centers of caps, each the mean of nodes.
struct VolumePart {
  std::vector<std::uint32_t> nodes;              ///< of VolumeParts
  std::vector<std::vector<std::uint32_t>> caps;  ///< by cap, the points around it
  std::vector<Triangle> triangles;               ///< of points; with caps they are closed
  double volume = 0.0;                           ///< at rest, signed, bind space cubed
  double area = 0.0;                             ///< of the triangles of the mesh, at rest
  double cap_area = 0.0;                         ///< of the caps, at rest
  bool holds_volume = false;  ///< false: a sheet, whose caps would be as large as itself

  std::size_t point_count() const { return nodes.size() + caps.size(); }
  bool closed() const { return caps.empty(); }
};

/// A surface cut into connected parts. Vertices at one place with the same weights are one node.
struct VolumeParts {
  std::vector<std::uint32_t> node_of;  ///< by vertex
  std::vector<std::uint32_t> vertex;   ///< by node, one that it stands for
  std::vector<VolumePart> parts;       ///< in the order of their first triangles
};

/// `mask`: one value per vertex, which keeps vertices apart too; or empty.
VolumeParts volume_parts(const PoseSurface& surface, std::span<const double> mask = {});

/// Sets the centers of caps, behind the nodes' own values, to the means of what lies around them.
void fill_caps(const VolumePart& part, std::vector<Eigen::Vector3d>& points);

/// Eq. 1, around the first point.
double volume_of(const VolumePart& part, std::span<const Eigen::Vector3d> points);

/// The volume of points + x directions as a polynomial in x (eq. 3), without the volume at rest.
std::array<double, 4> volume_polynomial(const VolumePart& part,
                                        std::span<const Eigen::Vector3d> points,
                                        std::span<const Eigen::Vector3d> directions);

/// Unit normals by point, weighed by area; zero where there is none.
std::vector<Eigen::Vector3d> point_normals(const VolumePart& part,
                                           std::span<const Eigen::Vector3d> points);

}  // namespace gvbind
