#pragma once

#include "gvbind/bind_skin.h"
#include "gvbind/unit_shapes.h"

namespace gvbind::test {

inline SkinWeights bind(const Figure& f, const BindOptions& options) {
  return bind_skin({f.shape.positions, f.shape.triangles}, f.joints, options).weights;
}

inline bool same(const SkinWeights& a, const SkinWeights& b) {
  return a.first == b.first && a.joint == b.joint && a.weight == b.weight;
}

/// At 64 voxels per side, on the CPU.
inline BindOptions weighed_by(WeightRule weights) {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  options.weights = weights;
  return options;
}

}  // namespace gvbind::test
