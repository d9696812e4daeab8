#pragma once

// Tested by tests/command/skinning_test.py.

#include <optional>

#include "cli/factor_file.h"
#include "commands/bind/bind_file.h"
#include "commands/bind/prepare_bind.h"
#include "formats/fbx/skinning.h"

namespace gvbind {

/// What --skinning asks for, read for the scene that is bound.
struct SkinningPlan {
  SkinningType type = SkinningType::linear;
  SceneFactors dual;  ///< with `blend`: how much of each joint is the dual quaternions', 0 to 1
};

/// None where the document's own skinning stays. Throws Error(usage) where its format has no other
/// skinning than linear, and as read_factors() does.
std::optional<SkinningPlan> plan_skinning(const BindRequest& request, const PreparedBind& prepared);

/// Writes it into the document, whose skin has been patched.
void apply_skinning(const SkinningPlan& plan, const SceneWeights& weights, PreparedBind& prepared);

}  // namespace gvbind
