#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bone_visibility.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct ContactOptions {
  /// Two surfaces are told apart if the way along the skeleton between the bones behind them is
  /// longer than this many times the way through air and flesh.
  double far_along = 2.5;
};

/// Bones whose surfaces come so near that the solid has no air between them.
struct SurfaceContact {
  std::uint32_t a, b;  ///< influences, a < b
  std::size_t voxels;  ///< cut between them
};

struct ContactSeparation {
  std::vector<MortonCode> cut;           ///< boundary voxels that part the surfaces; ascending
  std::vector<SurfaceContact> contacts;  ///< by a, then b; voxels > 0
  std::size_t too_thin = 0;              ///< places that touch but are too thin to be parted
};

/// Finds where two sheets of surface face each other across less air than voxels resolve (fingers,
/// thighs, an arm on the hip) while the bones behind them are far apart along the skeleton: weights
/// would leak across. The voxels that both share, and one layer on each side if that is what it
/// takes, are to be cut out of the solid. Left alone are voxels of bones (`bones`: bone_voxels())
/// and places where nothing of the solid would remain behind a surface.
ContactSeparation separate_contacts(const UnitScene& scene, const SkeletonDistance& skeleton,
                                    const Solid& solid,
                                    const std::vector<std::vector<MortonCode>>& bones,
                                    const ContactOptions& options = {});

/// Makes exterior of the voxels.
void cut_out(std::span<const MortonCode> voxels, Solid& solid);

/// Positions, those in cut voxels moved into the nearest voxel left that is not before their
/// surface (if one is within three); those at one lattice point together. `solid`: after cut_out().
std::vector<Eigen::Vector3i> positions_behind_cut(const UnitScene& scene,
                                                  std::span<const MortonCode> cut,
                                                  const Solid& solid);

}  // namespace gvbind
