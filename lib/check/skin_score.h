#pragma once

// Tested by tests/unit/check/skin_score_test.cpp.

#include <cstddef>
#include <cstdint>

#include "character/scene.h"

namespace gvbind::check {

struct SkinScoreOptions {
  double least_weight = 1e-4;  ///< an influence is a larger weight
  /// A vertex counts if the sum of its weights in the reference is off one by less. Puppeteer's
  /// evaluation takes 0.01.
  double sum_tolerance = 0.01;
  /// Of the skin, not of the reference: weights below this fraction of the vertex's largest are set
  /// to zero, and the others scaled to one, as networks' outputs are. 0: none.
  double cut = 0.0;
  int poses = 10;
  double turn_degrees = 45.0;  ///< maximum rotation of each joint about a random axis
  std::uint32_t seed = 7;
};

/// The measures that papers on learned weights publish, of one file.
struct SkinScore {
  std::size_t vertices = 0;  ///< that count
  std::size_t left_out = 0;  ///< whose reference has no weight, or weights that do not sum to one
  double precision = 0.0;    ///< share of the skin's influences that the reference has
  double recall = 0.0;       ///< share of the reference's influences that the skin has
  double l1 = 0.0;           ///< mean over vertices of sum_j |w - w*|, 0 to 2
  /// Distance between vertices posed by either skin with linear blending, over random poses, in
  /// thousandths of the longest side of the box around all skinned meshes of the reference and the
  /// joints that own weight there.
  double mean_distance = 0.0;
  double max_distance = 0.0;  ///< maximum of each mesh and pose, averaged over vertices
};

/// Compares two scenes with the same meshes and joints, as from match_skin(). Only meshes that are
/// selected in `skin` and have weights in the reference count. Rows are normalized; a vertex
/// without weight in `skin` does not move, and its L1 is 1. Each mesh is posed by the joints of its
/// skin in the reference; NumpyRandom draws their rotations in the order of that skin.
SkinScore score_skin(const Scene& skin, const Scene& reference,
                     const SkinScoreOptions& options = {});

}  // namespace gvbind::check
