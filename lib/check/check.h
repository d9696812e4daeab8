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

namespace gvbind {

/// What a measure may be: above `note` it is a note, above `warning` a warning, above `error` an
/// error.
struct CheckLimit {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double warning = none, error = none, note = none;
};

/// The limits were set on 155 skins of some 70 artists and on the same skins broken on purpose;
/// docs/check.md has the figures.
struct CheckOptions {
  SkinRowOptions rows;
  BleedOptions bleed;
  FarJointOptions far_joints;
  DeadJointOptions dead_joints;
  StretchOptions stretch;

  /// What a vertex whose weights do not sum to one is. glTF wants the sum; who reads FBX divides by
  /// it.
  Severity off_sum = Severity::error;
  CheckLimit without_weight{0, 0};                                ///< vertices
  CheckLimit influences{CheckLimit::none, CheckLimit::none, 4};   ///< joints per vertex
  CheckLimit idle_joints{CheckLimit::none, CheckLimit::none, 0};  ///< joints
  CheckLimit bleed_share{0.25, CheckLimit::none};                 ///< Bleed::share, 0 to 1
  CheckLimit far_surface{0.02, 0.3};                              ///< FarJoints::surface, 0 to 1
  CheckLimit far_joint{0.08, 0.2};                                ///< FarJoints::worst, of the size
  CheckLimit stretch_p99{15.0, 25.0};                             ///< Stretch::p99, a ratio
};

struct CheckResult {
  std::size_t triangles = 0;  ///< of the skinned meshes, sound ones
  SkinRows rows;
  JointUse joints;
  Bleed bleed;
  FarJoints far_joints;
  std::vector<DeadJoint> dead_joints;
  Stretch stretch;
  SkinSurface surface;  ///< what vertices of the measures are of
  Findings findings;    ///< what exceeds the options; by falling severity
};

/// Judges the skinned meshes of a scene together. Any scene will do: what is not finite or points
/// nowhere becomes a finding.
/// Findings: no-skin, weights-damaged, weight-sum, vertices-without-weight, too-many-influences,
/// joints-without-effect, dead-joint, bleed, far-joint, stretch, no-triangles, mesh-without-skin.
CheckResult check_scene(const Scene& scene, const CheckOptions& options = {});

/// The same for a surface that was made of the skinned meshes of `scene` and has its weights.
CheckResult check_surface(const Scene& scene, SkinSurface surface,
                          const CheckOptions& options = {});

}  // namespace gvbind
