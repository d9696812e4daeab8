#pragma once

// Tested by tests/command/skinning_test.py.

#include <optional>

#include "bind/bindable_file.h"
#include "cli/factor_file.h"
#include "formats/fbx/skinning.h"

namespace gvbind {

/// The value of --skinning, resolved for the scene that is bound.
struct SkinningPlan {
  SkinningType type = SkinningType::linear;
  SceneFactors dual;  ///< with `blend`: how much of each joint is the dual quaternions', 0 to 1
};

/// None where the document's own skinning stays. Throws Error(usage) where its format has no other
/// skinning than linear, and as read_factors() does.
std::optional<SkinningPlan> plan_skinning(const BindRequest& request, const BindableFile& f);

/// Writes it into the document, whose skin has been patched.
void apply_skinning(const SkinningPlan& plan, const SceneWeights& weights, BindableFile& f);

}  // namespace gvbind
