#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <vector>

#include "rig/body_tips.h"
#include "rig/rig_template.h"
#include "rig/symmetry_plane.h"

namespace gvbind::rig {

/// Weights of the penalties; initial guesses, not fitted.
struct AssignOptions {
  double place = 1.0;       ///< position of a tip in the body's box, squared half sides
  double direction = 0.5;   ///< 1 - cosine of the direction from the center
  double protrusion = 0.3;  ///< for tips that do not protrude
  double mirror = 10.0;  ///< squared distance of mirror limbs from symmetry, relative to the size
  double missing = 1.2;  ///< for a limb without a tip
};

struct TipAssignment {
  std::vector<int> tips;        ///< by limb of the template: the assigned tip of the body, or -1
  std::vector<double> margins;  ///< by limb: additional cost of another tip
  double cost = 0.0;
};

/// Assigns tips of the body to the template's limbs with the minimum sum of penalties (sections 3.3
/// and 3.4, with tips instead of spheres). Best-first search over partial assignments: the lower
/// bound is their cost plus the minimum cost of each remaining limb, so the first complete
/// assignment is optimal.
TipAssignment assign_tips(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                          const AssignOptions& options = {});

/// The cheapest assignments, the best first, without margins; fewer than `most` where the search
/// takes too long.
std::vector<TipAssignment> cheapest_assignments(const RigTemplate& rig, const BodyTips& tips,
                                                const SymmetryPlane& plane, std::size_t most,
                                                const AssignOptions& options = {});

/// The cost of the best assignment.
double assigned_cost(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                     const AssignOptions& options = {});

}  // namespace gvbind::rig
