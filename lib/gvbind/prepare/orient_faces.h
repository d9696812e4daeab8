#pragma once

#include <cstddef>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

struct OrientOptions {
  /// A closed piece is turned if its volume is below minus this part of its area to the power 1.5
  /// (a ball: 0.094); nearer to nothing it has no inside.
  double min_volume = 1e-4;
  /// An open piece is turned if winding numbers on its faces, half a turn up inside a right one,
  /// are below this in the mean.
  double max_winding = -0.25;
};

struct FlippedFaces {
  std::size_t triangles = 0;  ///< that were turned
  std::size_t patches = 0;    ///< of the mesh, in which some were
};

/// Turns the triangles that face inward. A piece is what hangs together by edges of two triangles:
/// inside it triangles are made to agree, most of the area staying as it is; then the whole of it
/// is turned if its volume, or for an open piece its winding number, is negative. Pieces that have
/// but one side and those without an inside (cards, sheets) stay. Vertices at one lattice point are
/// one. Triangles keep their order.
FlippedFaces orient_faces(UnitScene& scene, const OrientOptions& options = {});

}  // namespace gvbind
