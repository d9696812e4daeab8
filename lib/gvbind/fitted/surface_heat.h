#pragma once

// Tested by tests/unit/gvbind/surface_heat_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/fitted/candidate_field.h"
#include "gvbind/fitted/surface_patches.h"

namespace gvbind {

struct HeatOptions {
  int resolution = 64;  ///< cells a side of the patches, a power of two
  /// How firmly the bones hold the heat of the surface beside them, above 0. The paper has 1; with
  /// 4 weights are as rough as those of artists, who began with this method in many files.
  double hold = 4.0;
  double tolerance = 1e-5;  ///< of the solution: the residual's length, relative to the right side
  int max_steps = 200;      ///< of the solver, at least 1
};

/// A joint's share of the heat.
struct JointHeat {
  std::uint32_t joint;
  float heat;  ///< 0 to 1
};

/// Weights by heat in equilibrium (Baran and Popovic 2007, section 4) on the patches of a surface:
///
///   -laplacian(w_j) + hold (w_j - p_j) / d^2 = 0
///
/// d is the distance to the nearest bone; p_j is 1 where that bone is joint j's, else 0. A bone
/// that paths through the solid reach only by a detour is as far as the detour makes it: it does
/// not heat a surface that it does not see. Every patch has a nearest bone, so that the equations
/// always have a solution, also where components are open or loose.
struct SurfaceHeat {
  SurfacePatches patches;
  std::vector<double> nearest;       ///< d of each patch, cube sides; 0 where no joint is near
  std::vector<std::uint32_t> first;  ///< patch p has the rows first[p] .. first[p + 1]
  std::vector<JointHeat> heat;       ///< ascending by joint; those of a patch sum to one
};

SurfaceHeat surface_heat(const CharacterDistances& distances, const CandidateField& field,
                         const HeatOptions& options = {});

/// The heat at a point (lattice) of a patch: a blend of the patch and its neighbors, by how near
/// their centers are; most heat first. `found` is overwritten. Empty for no_patch.
void heat_at(const SurfaceHeat& heat, const Eigen::Vector3i& point, std::uint32_t patch,
             std::vector<JointHeat>& found);

}  // namespace gvbind
