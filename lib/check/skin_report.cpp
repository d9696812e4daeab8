// Tested by tests/consumer/judge_file.cpp.

#include <utility>

#include "check/check.h"
#include "gvbind/check.h"

namespace gvbind {

SkinReport check(const Asset& asset) {
  CheckResult result = check_scene(asset.scene());
  return {result.rows.without_weight, result.rows.max_influences, result.bleed.share,
          result.far_joints.surface,  result.far_joints.worst,    result.stretch.p99,
          std::move(result.findings)};
}

}  // namespace gvbind
