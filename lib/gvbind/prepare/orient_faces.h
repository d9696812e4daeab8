#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

struct OrientOptions {
  /// A closed patch is flipped if its signed volume is below -min_volume * area^1.5 (a ball has
  /// 0.094 * area^1.5); a patch nearer to zero has no inside.
  double min_volume = 1e-4;
  /// An open patch whose volume contradicts its majority is flipped if the mean winding number at
  /// its face centers is below this; +0.5 on a face of an outward surface.
  double max_winding = -0.25;
};

struct FlippedFaces {
  std::size_t triangles = 0;  ///< that were flipped
  std::size_t patches = 0;    ///< in which some were
};

/// Flips the triangles that face inward. A patch is a set of triangles connected by edges of
/// exactly two triangles, of the mesh welded by `welded` (components.h). Within a patch triangles
/// are first made to agree with the majority of its area; then the whole patch is flipped if it is
/// closed and its volume negative, or open and its winding number negative. One-sided
/// (non-orientable) patches and those without an inside (cards, sheets) stay. Triangles keep their
/// order.
FlippedFaces orient_faces(LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                          const OrientOptions& options = {});

}  // namespace gvbind
