#pragma once

// Tested by tests/command/skinning_test.py.

#include <optional>

#include "bind/bindable_file.h"
#include "cli/factor_file.h"
#include "formats/fbx/skinning.h"

namespace gvbind {

/// The value of --skinning, resolved for a scene.
struct SkinningPlan {
  SkinningType type = SkinningType::linear;
  SceneFactors dual;  ///< with `blend`: the dual quaternion share of each joint, 0 to 1
};

/// None if the document keeps its own skinning method. Throws Error(usage) if its format supports
/// linear skinning only, and as read_factors() does.
std::optional<SkinningPlan> plan_skinning(const BindRequest& request, const BindableFile& f);

/// Writes the plan into the document, whose skin must already be patched.
void apply_skinning(const SkinningPlan& plan, const SceneWeights& weights, BindableFile& f);

}  // namespace gvbind
