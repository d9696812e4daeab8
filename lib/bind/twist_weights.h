#pragma once

// Tested by tests/unit/bind/twist_weights_test.cpp.

#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// A bone that twists along its length. Joints by name, since a file that gets them may list them
/// in another order.
struct TwistLimb {
  std::string joint, end;           ///< the bone goes from one to the other
  std::vector<std::string> twists;  ///< at (k + 1) / (count + 1) of the way
  /// The joint has the turn of the bone's base (a forearm at the elbow), not that of its end (an
  /// upper arm at the elbow).
  bool is_base = false;
};

/// Takes the twist joints out of the skeleton for which weights are computed, so that these are the
/// same with and without them.
void detach_twists(const std::vector<TwistLimb>& limbs, std::vector<SceneJoint>& joints);

/// Shares the weight of each limb's joint with its twist joints, linearly between the two nearest
/// of them on the bone. Sums of rows stay. A row that would have more than `max_influences` entries
/// (0: any number) loses its smallest: to the other share of its limb, or to all.
void spread_twist_weights(const std::vector<TwistLimb>& limbs, const Scene& scene,
                          int max_influences, SceneWeights& weights);

}  // namespace gvbind
