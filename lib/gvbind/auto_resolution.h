#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gvbind/influence.h"
#include "gvbind/normalize.h"

namespace gvbind {

/// Two sheets of surface that face each other across air, of influences that are far apart along
/// the skeleton: two fingers, two thighs, an arm and the hip.
struct NarrowGap {
  double width = 0.0;          ///< cube sides
  std::uint32_t a = 0, b = 0;  ///< the influences that it parts most, a < b
};

struct ThinLimb {
  double thickness = 0.0;  ///< across, cube sides
  std::uint32_t influence = 0;
};

/// The finest that the voxels have to tell apart.
struct FineFeatures {
  std::optional<NarrowGap> gap;
  std::optional<ThinLimb> limb;
};

/// Lengths in cube sides.
struct FeatureOptions {
  /// So much of the surface may lie at narrower gaps, and as much at thinner limbs: what is less is
  /// a crease or an ornament. 0 to 1.
  double share = 0.002;
  double least = 1.0 / 1024;   ///< what is narrower is a contact; what is thinner, a sheet
  double most_gap = 1.0 / 32;  ///< wider gaps are not looked for
  double far = 4.0;  ///< bones are far apart if the way along them is longer than so many gaps
};

/// `joints`: those of the scene's influences, in their order. The answer does not depend on scale,
/// place or the order of vertices, and on mirroring only by rounding.
FineFeatures fine_features(const UnitScene& scene, std::span<const JointPoint> joints,
                           const FeatureOptions& options = {});

struct ResolutionOptions {
  int least = 64, most = 1024;  ///< powers of two
  int without = 256;            ///< where there is nothing to go by
  double gap_voxels = 2.0;      ///< that a gap holds at least
  double limb_voxels = 3.0;     ///< that a limb is thick at least
};

/// The least power of two at which gap and limb hold their voxels.
int resolution_for(const FineFeatures& features, const ResolutionOptions& options = {});

/// "gap of 0.81 % of the box between 'thigh_l' and 'thigh_r', limb 'index_2' 1.1 % thick".
std::string features_text(const FineFeatures& features, std::span<const JointPoint> joints);

}  // namespace gvbind
