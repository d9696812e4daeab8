#pragma once

// Tested by tests/unit/gvbind/surface_heat_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gvbind/fitted/heat_bones.h"
#include "gvbind/fitted/heat_surface.h"

namespace gvbind {

struct HeatOptions {
  double least_distance = 5e-5;  ///< to a bone, cube sides
  double tolerance = 1e-4;       ///< bones that are nearest up to this fraction share a place
  /// Shares of heat below `none` become zero; from there to `full` they grow from zero to their own
  /// value.
  double none = 0.025, full = 0.05;
  /// Of the factorization, about. A body of 50,000 places needs 1e8. A mesh whose triangles join
  /// places at random needs far more; there no heat flows, and places keep the joints that heat
  /// them.
  double max_operations = 2e10;
};

/// A joint's share of the heat of a place.
struct JointHeat {
  std::uint32_t joint;
  float heat;  ///< 0 to 1
};

/// Weights by heat equilibrium on a surface (Baran and Popovic 2007, section 4), with the choices
/// that Blender made for its automatic weights:
///
///   L w_j + (w_j - p_j) n / d^2 = 0  at each place
///
/// d is the distance to the nearest bone, larger the less the surface faces away from the bone; n
/// counts the bones at that distance that the place sees, and p_j = 1 / n for their joints. A place
/// that sees none of them only takes heat from its neighbors. L: cotangents of the angles opposite
/// an edge, averaged over its triangles, over four times the place's area. A piece of the surface
/// where no place sees its bone is heated as if all did, so that no vertex is left without weight.
struct SurfaceHeat {
  HeatSurface surface;
  std::vector<double> nearest;       ///< by place: d in cube sides; 0 without bones
  std::vector<std::uint32_t> first;  ///< rows of place p: first[p] .. first[p + 1]
  std::vector<JointHeat> heat;       ///< ascending by joint; a place's rows sum to one
  std::vector<std::uint32_t> first_triangle, triangle;  ///< around place p, as `first`

  std::span<const JointHeat> at_place(std::uint32_t place) const {
    return std::span(heat).subspan(first[place], first[place + 1] - first[place]);
  }
};

SurfaceHeat surface_heat(HeatSurface surface, std::span<const HeatBone> bones,
                         const HeatOptions& options = {});

/// The heat of a character. `mesh_starts`: as BindOptions::mesh_starts; `max_places`: as
/// coarse_surface() has it.
SurfaceHeat surface_heat(const CharacterDistances& distances, std::span<const Joint> joints,
                         std::span<const std::uint32_t> mesh_starts = {},
                         std::size_t max_places = std::numeric_limits<std::size_t>::max());

/// The heat at a point (cube sides) whose nearest vertex is at this place: that of the nearest
/// point of the triangles around it; most heat first. Overwrites `found`.
void heat_at(const SurfaceHeat& heat, const Eigen::Vector3d& point, std::uint32_t place,
             std::vector<JointHeat>& found);

}  // namespace gvbind
