#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gvbind/prepare/character.h"

namespace gvbind {

/// Two sheets facing each other across the exterior whose joints are far apart along the skeleton:
/// two fingers, two thighs, an arm and the hip.
struct NarrowGap {
  double width = 0.0;          ///< cube sides
  std::uint32_t a = 0, b = 0;  ///< joints, a < b
};

/// The mesh around a bone that is longer than it is thick.
struct ThinLimb {
  double thickness = 0.0;  ///< cube sides
  std::uint32_t joint = 0;
};

/// The finest features that voxels must resolve.
struct FeatureSizes {
  std::optional<NarrowGap> gap;
  std::optional<ThinLimb> limb;
};

/// Lengths in cube sides.
struct FeatureOptions {
  /// Fraction of the surface that may lie at narrower gaps, and separately at thinner limbs;
  /// smaller parts are ornaments. 0 to 1.
  double share = 0.001;
  double least = 1.0 / 512;   ///< narrower gaps are contacts; thinner limbs are sheets
  double max_gap = 1.0 / 32;  ///< wider gaps are ignored
  double branch = 0.02;  ///< distance along the skeleton that counts as far, see surface_samples.h
  double path = 0.3;
};

/// A gap's width is the median of the widths between `least` and `max_gap`, because no resolution
/// separates the bottom of a crease. If more than a fifth is narrower, the joints touch and have no
/// gap. The result is independent of the mesh's scale and position, and except for rounding of
/// mirroring and vertex order. Runs in parallel.
FeatureSizes feature_sizes(const Character& character, const FeatureOptions& options = {});

struct ResolutionOptions {
  int least = 128, most = 512;  ///< powers of two
  int without = 256;            ///< without any features
  double gap_voxels = 2.0;      ///< minimum width of a gap: one voxel between those of both sheets
  double limb_voxels = 3.0;     ///< minimum thickness of a limb: one voxel inside its surface's
};

/// The smallest power of two at which gap and limb have these widths.
int resolution_for(const FeatureSizes& features, const ResolutionOptions& options = {});

/// "gap of 0.81 % of the box between 'thigh_l' and 'thigh_r', limb 'index_2' 1.1 % thick".
std::string features_text(const FeatureSizes& features, std::span<const Joint> joints);

}  // namespace gvbind
