#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gvbind/prepare/character.h"

namespace gvbind {

/// Two sheets of surface that face each other across the exterior, of joints that are far apart
/// along the skeleton: two fingers, two thighs, an arm and the hip.
struct NarrowGap {
  double width = 0.0;          ///< cube sides
  std::uint32_t a = 0, b = 0;  ///< joints, a < b
};

/// A region of the mesh around a bone that is longer than it is thick.
struct ThinLimb {
  double thickness = 0.0;  ///< cube sides
  std::uint32_t joint = 0;
};

/// The finest features that voxels have to resolve.
struct FeatureSizes {
  std::optional<NarrowGap> gap;
  std::optional<ThinLimb> limb;
};

/// Lengths in cube sides.
struct FeatureOptions {
  /// This fraction of the surface may lie at narrower gaps, and as much at thinner limbs: less than
  /// that is an ornament. 0 to 1.
  double share = 0.001;
  double least = 1.0 / 512;   ///< what is narrower is a contact; what is thinner, a sheet
  double max_gap = 1.0 / 32;  ///< wider gaps are not looked for
  double branch = 0.02;       ///< what is far apart along the skeleton: see surface_samples.h
  double path = 0.3;
};

/// The width of a gap between two joints is the median of what lies between `least` and `most_gap`,
/// since no resolution separates the bottom of a crease. Where a fifth is narrower the joints
/// touch, and have no gap. The result does not depend on scale and position of the mesh, and on
/// mirroring and the order of vertices only by rounding. In parallel.
FeatureSizes feature_sizes(const Character& character, const FeatureOptions& options = {});

struct ResolutionOptions {
  int least = 128, most = 512;  ///< powers of two
  int without = 256;            ///< where there is nothing to go by
  double gap_voxels = 2.0;      ///< least width of a gap: one voxel between those of its two sheets
  double limb_voxels = 3.0;  ///< least thickness of a limb: one voxel within those of its surface
};

/// The least power of two at which gap and limb have these widths.
int resolution_for(const FeatureSizes& features, const ResolutionOptions& options = {});

/// "gap of 0.81 % of the box between 'thigh_l' and 'thigh_r', limb 'index_2' 1.1 % thick".
std::string features_text(const FeatureSizes& features, std::span<const Joint> joints);

}  // namespace gvbind
