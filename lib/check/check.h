#pragma once

#include <limits>
#include <string>

#include "assets/scene.h"
#include "check/bleed.h"
#include "check/joint_use.h"
#include "check/skin_rows.h"
#include "check/stretch.h"
#include "gvbind/finding.h"

namespace gvbind {

/// What a measure may be: above `warning` it is a warning, above `error` an error.
struct CheckLimit {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double warning = none, error = none;
};

struct CheckOptions {
  SkinRowOptions rows;
  BleedOptions bleed;
  StretchOptions stretch;

  /// What a vertex whose weights do not sum to one is. glTF wants the sum; who reads FBX divides by
  /// it.
  Severity off_sum = Severity::error;
  CheckLimit without_weight{0, 0};              ///< vertices
  CheckLimit influences{4, CheckLimit::none};   ///< joints a vertex
  CheckLimit idle_joints{0, CheckLimit::none};  ///< joints
  CheckLimit bleed_share{0.005, 0.1};           ///< Bleed::share, 0 to 1
  CheckLimit stretch_p99{4.0, 25.0};            ///< Stretch::p99, a ratio
};

struct CheckResult {
  std::size_t triangles = 0;  ///< of the skinned meshes, sound ones
  SkinRows rows;
  JointUse joints;
  Bleed bleed;
  Stretch stretch;
  SkinSurface surface;  ///< what vertices of bleed and stretch are of
  Findings findings;    ///< what exceeds the options; by falling severity
};

/// Judges the skinned meshes of a scene together. Any scene will do: what is not finite or points
/// nowhere becomes a finding.
/// Findings: no-skin, weights-damaged, weight-sum, vertices-without-weight, too-many-influences,
/// joints-without-effect, bleed, stretch, no-triangles, mesh-without-skin.
CheckResult check_scene(const Scene& scene, const CheckOptions& options = {});

}  // namespace gvbind
