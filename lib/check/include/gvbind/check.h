#pragma once

#include "gvbind/asset.h"

namespace gvbind::check {

/// The measures of `gvbind check` (docs/check.md). Lengths are relative to the size of the skin.
struct SkinReport {
  std::size_t vertices_without_weight = 0;
  std::size_t max_influences = 0;  ///< joints at one vertex
  double bleed = 0.0;              ///< fraction of the weight on far joints, across a gap
  double far_surface = 0.0;        ///< fraction of the surface bound to a far joint
  double far_joint = 0.0;  ///< excess distance of the worst joint from the surface that it moves
  double stretch = 0.0;    ///< 99th percentile of edge stretch in random poses
  Findings findings;       ///< beyond the thresholds, by falling severity
};

/// Checks the asset's skin: that of the file, or of the last bind.
SkinReport skin_report(const Asset& asset);

}  // namespace gvbind::check
