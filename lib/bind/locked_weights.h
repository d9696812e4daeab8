#pragma once

#include <vector>

#include "bind/existing_weights.h"
#include "bind/rule_lines.h"
#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Finds the meshes and joints that keep their old weights. Meshes are kept as Existing::keep keeps
/// them, where their weights are usable; `plan` is that of plan_existing(). Returns for each joint
/// whether it is locked; nothing where none is. Finding "rule-unmatched": a rule that matches no
/// name, or nothing that has weights.
std::vector<bool> plan_locks(const Scene& scene, const std::vector<LockRule>& rules,
                             ExistingPlan& plan, Findings& findings);

struct LockLimits {
  int max_influences = 0;  ///< 0 for all
  double prune = 0.0;      ///< smallest weight of a joint that is not locked, 0..1
};

/// A row in which locked joints have exactly the weight that they have in `old`. The rest goes to
/// the others by their shares of `fresh`, or where that has none of them, of `old`. `old`: of any
/// sum above zero. Locked joints come first, and if they already fill max_influences, they take all
/// weight.
std::vector<Influence> row_around_locks(const WeightRow& old, const WeightRow& fresh,
                                        const std::vector<bool>& locked, const LockLimits& limits);

/// Puts the old weights of locked joints back into new rows. Vertices without usable old weights
/// stay as they are bound. Findings: "weights-locked" (in how many vertices), "lock-needs-excluded"
/// (vertices in which old weights of joints that may own none are all that is left).
void apply_locks(const Scene& scene, const std::vector<bool>& locked, const LockLimits& limits,
                 SceneWeights& weights, Findings& findings);

}  // namespace gvbind
