#pragma once

#include <limits>
#include <string>

#include "character/scene.h"
#include "check/bleed.h"
#include "check/dead_joints.h"
#include "check/far_joints.h"
#include "check/skin_rows.h"
#include "check/stretch.h"
#include "gvbind/finding.h"

namespace gvbind::check {

/// Thresholds of a measure: above `note` it is a note, above `warning` a warning, above `error` an
/// error.
struct CheckLimit {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double warning = none, error = none, note = none;
};

/// Thresholds were chosen on 155 skins by about 70 artists and on intentionally broken versions of
/// them; docs/check.md has the figures.
struct CheckOptions {
  SkinRowOptions rows;
  BleedOptions bleed;
  FarJointOptions far_joints;
  DeadJointOptions dead_joints;
  StretchOptions stretch;

  /// Severity of a vertex whose weights do not sum to one. glTF requires the sum; readers of FBX
  /// normalize.
  Severity off_sum = Severity::error;
  CheckLimit without_weight{0, 0};                                ///< vertices
  CheckLimit influences{CheckLimit::none, CheckLimit::none, 4};   ///< joints per vertex
  CheckLimit idle_joints{CheckLimit::none, CheckLimit::none, 0};  ///< joints
  CheckLimit bleed_share{0.25, CheckLimit::none};                 ///< Bleed::share, 0 to 1
  CheckLimit far_surface{0.02, 0.3};                              ///< FarJoints::surface, 0 to 1
  CheckLimit far_joint{0.08, 0.2};     ///< FarJoints::worst, relative to the size
  CheckLimit stretch_p99{15.0, 25.0};  ///< Stretch::p99, a ratio
};

/// A sample of the edges decides only below this fraction of a threshold or a tolerance.
constexpr double sample_margin = 2.0 / 3.0;

struct CheckResult {
  std::size_t triangles = 0;  ///< valid ones of the skinned meshes
  SkinRows rows;
  JointUse joints;
  Bleed bleed;
  FarJoints far_joints;
  std::vector<DeadJoint> dead_joints;
  Stretch stretch;
  SkinSurface surface;  ///< vertices in the measures refer to it
  Findings findings;    ///< beyond the thresholds, by falling severity
};

/// Checks the skinned meshes of a scene together. Accepts any scene: values that are not finite and
/// invalid indices become findings.
/// Findings: no-skin, weights-damaged, weight-sum, vertices-without-weight, too-many-influences,
/// joints-without-effect, dead-joint, bleed, far-joint, stretch, no-triangles, mesh-without-skin.
CheckResult check_scene(const Scene& scene, const CheckOptions& options = {});

/// As check_scene(), for the surface of the skinned meshes of `scene` with its weights.
CheckResult check_surface(const Scene& scene, SkinSurface surface,
                          const CheckOptions& options = {});

}  // namespace gvbind::check
