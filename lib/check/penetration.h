#pragma once

#include <cstdint>
#include <vector>

#include "check/layers.h"
#include "check/stretch.h"

namespace gvbind::check {

struct PenetrationOptions {
  LayerOptions layers;
  double depth = 1e-3;  ///< shallower ones are ignored; relative to the size, 0 to 1
};

/// Vertices of one joint that come through what another joint moves.
struct PenetrationPair {
  std::uint32_t inner = 0, outer = 0;  ///< dominant joints
  std::size_t vertices = 0;            ///< that come through in some pose
  double worst = 0.0;                  ///< greatest depth, relative to the size
  std::uint32_t vertex = 0, over = 0;  ///< of the surface: the deepest, and one that it passes
  int pose = 0;                        ///< of the deepest, from 0
};

/// Layers that come through each other in the poses of measure_stretch(). A covered vertex comes
/// through where it is outside the part that covers it in bind pose, among the triangles within two
/// steps of the one that covers it. A vertex that has slid beside them does not count.
struct Penetration {
  std::size_t covered = 0;             ///< vertices under another layer
  double share = 0.0;                  ///< of their area that comes through, mean over the poses
  double worst = 0.0;                  ///< greatest depth, relative to the size
  std::vector<PenetrationPair> pairs;  ///< by falling number of vertices, at most 10
};

Penetration measure_penetration(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                                const StretchOptions& poses = {},
                                const PenetrationOptions& options = {});

}  // namespace gvbind::check
