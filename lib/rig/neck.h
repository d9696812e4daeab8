#pragma once

// Tested by tests/unit/rig/neck_test.cpp.

#include <optional>

#include "rig/body_tips.h"

namespace gvbind::rig {

/// Where a neck begins and where the head begins, as lengths along the path from the crown.
struct NeckSpan {
  double neck = 0.0;  ///< of the joint nearest to the shoulders
  double head = 0.0;  ///< of the joint on which the skull turns
};

struct NeckOptions {
  double narrow = 0.85;   ///< maximum depth of a neck relative to the head above it
  double widened = 1.25;  ///< relative to a waist: depth at which the part below it begins
  /// A waist further above the shoulders than this belongs to hair or a helmet; body sizes.
  double reach = 0.25;
  /// Usual lengths between shoulders and neck and between shoulders and head; body sizes. Chosen
  /// with all bodies in view, see docs/measurements/rig.md.
  double neck_above = 0.055, head_above = 0.1;
  double usual_share = 0.3;  ///< 0 to 1: weight of these lengths where there is a waist
};

/// The neck of an upright human. Buns, ears, helmets and antennas have waists of their own, so the
/// last waist before the shoulders counts; without any, the usual lengths. `shoulders`: length of
/// the path to the level of the shoulders; `size`: of the body, voxels.
NeckSpan human_neck(const BodyPath& path, double shoulders, double size,
                    const NeckOptions& options = {});

/// The first waist below the crown, for bodies whose shoulders are not known; none if the path has
/// no waist.
std::optional<NeckSpan> first_waist(const BodyPath& path, const NeckOptions& options = {});

}  // namespace gvbind::rig
