#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

struct OrientOptions {
  /// Closed patches with a signed volume below -min_volume * area^1.5 are flipped (a ball has 0.094
  /// * area^1.5). A patch closer to zero has no inside.
  double min_volume = 1e-4;
  /// An open patch whose volume contradicts its majority is flipped if the mean winding number at
  /// its face centers is below this. Outward faces have +0.5.
  double max_winding = -0.25;
};

struct FlippedFaces {
  std::size_t triangles = 0;  ///< number flipped
  std::size_t patches = 0;    ///< number with flipped triangles
};

/// Flips triangles that face inward. A patch is a set of triangles connected by edges with exactly
/// two triangles, after welding by `welded` (components.h). First the triangles of a patch are made
/// to agree with the majority of its area. Then the patch is flipped if it is closed with negative
/// volume, or open with negative winding number. Non-orientable patches and patches without an
/// inside (cards, sheets) are left alone. Triangles keep their order.
FlippedFaces orient_faces(LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                          const OrientOptions& options = {});

}  // namespace gvbind
