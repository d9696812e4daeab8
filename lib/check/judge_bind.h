#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "character/scene.h"
#include "check/check.h"

namespace gvbind::check {

/// Figures for comparing two skins of one mesh; docs/check.md defines them.
struct SkinFigures {
  std::size_t without_weight = 0;  ///< vertices
  double bleed = 0.0;              ///< Bleed::share, 0 to 1
  double stretch = 1.0;            ///< Stretch::p99, a ratio
  double far_surface = 0.0;        ///< FarJoints::surface, 0 to 1
  double far_joint = 0.0;          ///< FarJoints::worst, relative to the size
  std::size_t dead_joints = 0;     ///< CheckResult::dead_joints
};

SkinFigures figures_of(const CheckResult& result);

enum class SkinVerdict { better, equal, worse };

/// "better", "equal", "worse".
const char* name_of(SkinVerdict verdict);

/// Comparison of a skin with the one that it replaces, on the meshes that both cover.
struct SkinComparison {
  SkinFigures before, now;   ///< dead joints of `now` include those that moved vertices before
  std::size_t vertices = 0;  ///< with weight in both
  double changed = 0.0;      ///< fraction of these with another dominant joint, 0 to 1
  double mean_l1 = 0.0;      ///< mean over these of sum |new weight - old weight|, 0 to 2
  SkinVerdict verdict = SkinVerdict::equal;
  std::vector<std::string> worse_in;  ///< figures by the names of their members above
};

/// A figure is worse if it grows by more than the larger of two tolerances, better if it falls by
/// more: bleed 0.01 or a quarter of the old value, stretch 0.5 or a quarter, far surface 0.005 or a
/// quarter, far joint 0.02 or a quarter, vertices without weight and dead joints 0. The skin is
/// worse if any figure is worse, better if none is worse and one is better.
SkinComparison compare_figures(const SkinFigures& before, const SkinFigures& now);

struct BindJudgement {
  SkinFigures figures;  ///< of all skinned meshes of the output
  /// Bleed, far-joint and stretch beyond check's thresholds; dead-joint, also by the input's
  /// weights; and worse-than-before (a note) if the skin is worse.
  Findings findings;
  ///< the comparison says so
  std::optional<SkinComparison> comparison;  ///< none: no mesh that had weights was bound again
};

/// The defaults, with a sample of the edges for stretch: all are measured only where the sample is
/// above two thirds of a threshold, or where two skins differ on it by more than two thirds
/// of a tolerance.
CheckOptions judge_options();

/// Checks the skin that a scene has once `weights` replace those of its meshes. Meshes without new
/// weights, and vertices without new weights in filled meshes, keep their own.
BindJudgement judge_bind(const Scene& scene, const SceneWeights& weights,
                         const CheckOptions& options = judge_options());

}  // namespace gvbind::check
