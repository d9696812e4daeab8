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
  int resolution = 64;  ///< grid cells per side that define patches, a power of two
  /// The paper's c: how strongly bones fix the heat of the nearby surface, above 0. The paper uses
  /// 1. With 4, weights are as rough as those of artists, who started from this method in many
  /// files.
  double anchor = 4.0;
  double tolerance = 1e-5;  ///< of the solver: residual relative to the right-hand side
  int max_steps = 200;      ///< iterations of the solver, at least 1
};

/// A joint's share of the heat of a patch.
struct JointHeat {
  std::uint32_t joint;
  float heat;  ///< 0 to 1
};

/// Weights by heat equilibrium (Baran and Popovic 2007, section 4) on the patches of a surface:
///
///   -laplacian(w_j) + anchor (w_j - p_j) / d^2 = 0
///
/// d is the distance to the nearest bone; p_j is 1 if that bone belongs to joint j, else 0. If
/// paths through the solid reach a bone only by a detour, d is the length of that path, so a bone
/// does not heat a surface that it does not see. Every patch has a nearest bone, so the equations
/// always have a solution, even with open or loose components.
struct SurfaceHeat {
  SurfacePatches patches;
  std::vector<double> nearest;       ///< by patch: d in cube sides; 0 if no joint is near
  std::vector<std::uint32_t> first;  ///< rows of patch p: first[p] .. first[p + 1]
  std::vector<JointHeat> heat;       ///< ascending by joint; a patch's rows sum to one
};

SurfaceHeat surface_heat(const CharacterDistances& distances, const CandidateField& field,
                         const HeatOptions& options = {});

/// The heat at a lattice point of a patch: interpolates the patch and its neighbors by the
/// distances of their centers; most heat first. Overwrites `found`; empty for no_patch.
void heat_at(const SurfaceHeat& heat, const Eigen::Vector3i& point, std::uint32_t patch,
             std::vector<JointHeat>& found);

}  // namespace gvbind
