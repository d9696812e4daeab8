#pragma once

#include "gvbind/asset.h"

namespace gvbind {

/// The measures of `gvbind check` (docs/check.md). Lengths relative to the size of the skin.
struct SkinReport {
  std::size_t vertices_without_weight = 0;
  std::size_t max_influences = 0;  ///< joints at one vertex
  double bleed = 0.0;              ///< share of the weight that goes to far joints across a gap
  double far_surface = 0.0;        ///< share of the surface that follows a far joint
  double far_joint = 0.0;  ///< how much farther the worst joint lies than others from what it moves
  double stretch = 0.0;    ///< 99th percentile of edge stretch in random poses
  Findings findings;       ///< what exceeds the limits, by falling severity
};

/// Judges the skin that the asset has: that of the file, or of the last bind.
SkinReport check(const Asset& asset);

}  // namespace gvbind
