#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gvbind/prepare/character.h"

namespace gvbind {

/// Two sheets of surface that face each other across air, of influences that are far apart along
/// the skeleton: two fingers, two thighs, an arm and the hip.
struct NarrowGap {
  double width = 0.0;          ///< cube sides
  std::uint32_t a = 0, b = 0;  ///< the influences, a < b
};

/// A stretch of body around a bone that is longer than it is thick.
struct ThinLimb {
  double thickness = 0.0;  ///< cube sides
  std::uint32_t influence = 0;
};

/// The finest that the voxels have to tell apart.
struct FeatureSizes {
  std::optional<NarrowGap> gap;
  std::optional<ThinLimb> limb;
};

/// Lengths in cube sides.
struct FeatureOptions {
  /// This part of the surface may lie at narrower gaps, and as much at thinner limbs: what is less
  /// is an ornament. 0 to 1.
  double share = 0.001;
  double least = 1.0 / 512;   ///< what is narrower is a contact; what is thinner, a sheet
  double max_gap = 1.0 / 32;  ///< wider gaps are not looked for
  double branch = 0.02;       ///< what is far apart along the skeleton: see surface_bones.h
  double path = 0.3;
};

/// Of two influences that face each
/// other, the gap's width is the median of what lies between `least` and `max_gap`: no resolution
/// parts the bottom of a crease. Where a fifth is narrower they touch, and have no gap. The
/// answer does not depend on scale and place of the mesh; on mirroring and the order of vertices
/// only by rounding. In parallel.
FeatureSizes feature_sizes(const Character& character, const FeatureOptions& options = {});

struct ResolutionOptions {
  int least = 128, most = 512;  ///< powers of two
  int without = 256;            ///< where there is nothing to go by
  double gap_voxels = 2.0;      ///< that a gap holds at least: one between those of its two sheets
  double limb_voxels = 3.0;     ///< that a limb is thick at least: one within its surface's
};

/// The least power of two at which gap and limb hold their voxels.
int resolution_for(const FeatureSizes& features, const ResolutionOptions& options = {});

/// "gap of 0.81 % of the box between 'thigh_l' and 'thigh_r', limb 'index_2' 1.1 % thick".
std::string features_text(const FeatureSizes& features, std::span<const Joint> joints);

}  // namespace gvbind
