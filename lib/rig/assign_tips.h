#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <vector>

#include "rig/body_tips.h"
#include "rig/rig_template.h"
#include "rig/symmetry_plane.h"

namespace gvbind {

/// Weights of the penalties; the first numbers tried, not fitted.
struct AssignOptions {
  double place = 1.0;       ///< where a tip is in the body's box, squared half sides
  double direction = 0.5;   ///< 1 - cosine of the direction from the middle
  double protrusion = 0.3;  ///< for a tip that does not protrude
  double mirror = 10.0;     ///< squared share of the size by which twins are not mirrored
  double missing = 1.2;     ///< for a limb without a tip
};

struct TipAssignment {
  std::vector<int> tips;        ///< by limb of the template: the tip of the body, or -1
  std::vector<double> margins;  ///< by limb: how much more it costs to give it another
  double cost = 0.0;
};

/// The tips of the body that the template's limbs end at, by the least sum of penalties over all
/// assignments (sections 3.3 and 3.4, with tips in place of spheres): partial assignments wait in a
/// queue ordered by a lower bound, their own cost and the least that each limb left can cost, so
/// that the first that is complete is the best.
TipAssignment assign_tips(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                          const AssignOptions& options = {});

/// Its cost alone.
double assigned_cost(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                     const AssignOptions& options = {});

}  // namespace gvbind
