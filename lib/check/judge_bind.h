#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "character/scene.h"
#include "check/check.h"

namespace gvbind {

/// What decides between two skins of one mesh; docs/check.md says what each is.
struct SkinFigures {
  std::size_t without_weight = 0;  ///< vertices
  double bleed = 0.0;              ///< Bleed::share, 0 to 1
  double stretch = 1.0;            ///< Stretch::p99, a ratio
  double far_surface = 0.0;        ///< FarJoints::surface, 0 to 1
  double far_joint = 0.0;          ///< FarJoints::worst, of the size
  std::size_t dead_joints = 0;     ///< CheckResult::dead_joints
};

SkinFigures figures_of(const CheckResult& result);

enum class SkinVerdict { better, equal, worse };

/// "better", "equal", "worse".
const char* name_of(SkinVerdict verdict);

/// How a skin compares with the one that it replaces, on the meshes that both cover.
struct SkinComparison {
  SkinFigures before, now;   ///< dead joints now: those too that moved vertices before
  std::size_t vertices = 0;  ///< with weight in both
  double changed = 0.0;      ///< part of those whose largest weight is on another joint, 0 to 1
  double mean_l1 = 0.0;      ///< mean over those of the sum of |new weight - old weight|, 0 to 2
  SkinVerdict verdict = SkinVerdict::equal;
  std::vector<std::string> worse_in;  ///< figures, by the names of members above
};

/// A figure is worse where it grows by more than the larger of two tolerances, better where it
/// falls by as much: bleed 0.01 or a quarter of the old value, stretch 0.5 or a quarter, far
/// surface 0.005 or a quarter, far joint 0.02 or a quarter, vertices without weight and dead joints
/// none. One that is worse makes the skin worse; it is better where none is worse and one is
/// better.
SkinComparison compare_figures(const SkinFigures& before, const SkinFigures& now);

struct BindJudgement {
  SkinFigures figures;  ///< of all skinned meshes of the output
  Findings findings;    ///< bleed, far-joint and stretch beyond check's limits; dead-joint, where
                        ///< the input's weights count as well; and worse-than-before, a note, where
                        ///< the comparison says so
  std::optional<SkinComparison> comparison;  ///< none: no mesh with weight was bound anew
};

/// Judges the skin that a scene has once `weights` replace those of its meshes; a mesh without new
/// weights, and a vertex without in a mesh that is filled, keeps its own.
BindJudgement judge_bind(const Scene& scene, const SceneWeights& weights,
                         const CheckOptions& options = {});

}  // namespace gvbind
