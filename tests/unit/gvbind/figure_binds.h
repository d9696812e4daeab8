#pragma once

#include "gvbind/bind_skin.h"
#include "gvbind/bind_stages.h"
#include "gvbind/unit_shapes.h"

namespace gvbind::test {

inline SkinWeights bind(const Figure& f, const BindOptions& options) {
  return bind_skin({f.shape.positions, f.shape.triangles}, f.joints, options).weights;
}

inline CharacterDistances distances_of(const Figure& f, const BindOptions& options) {
  BindResult result;
  const Monitor monitor;
  StageClock clock(result.statistics.stages, monitor, bind_stages);
  return character_distances(prepare_character({f.shape.positions, f.shape.triangles}, f.joints,
                                               character_options(options)),
                             f.joints, options, clock, result);
}

inline bool same(const SkinWeights& a, const SkinWeights& b) {
  return a.first == b.first && a.joint == b.joint && a.weight == b.weight;
}

/// Options for 64 voxels per side on the CPU.
inline BindOptions weighed_by(WeightRule weights) {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  options.weights = weights;
  return options;
}

}  // namespace gvbind::test
