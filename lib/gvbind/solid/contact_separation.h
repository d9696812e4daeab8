#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/prepare/character.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct ContactOptions {
  /// Two surfaces are kept apart if the path along the skeleton between the bones behind them is
  /// longer than this many times the path across the contact.
  double far_along = 2.5;
};

/// Bones whose surfaces are so close that the solid has no exterior voxel between them.
struct SurfaceContact {
  std::uint32_t a, b;  ///< joints, a < b
  std::size_t voxels;  ///< separated between them
};

struct ContactSeparation {
  std::vector<MortonCode> cut;           ///< boundary voxels between the surfaces; ascending
  std::vector<SurfaceContact> contacts;  ///< by a, then b; voxels > 0
  std::size_t too_thin = 0;              ///< contacts of surfaces too thin to be separated
};

/// Finds where two sheets of surface face each other across less air than voxels resolve (fingers,
/// thighs, an arm on the hip) while the bones behind them are far apart along the skeleton: weights
/// would leak across. With the samples p and q of the two sheets and the visible bones' points b_p
/// and b_q (bone_visibility.h), they are separated if
///   skeleton(b_p, b_q) > far_along * (|b_p - p| + |p - q| + |q - b_q|).
/// To be cut out of the solid are the boundary voxels within half a voxel of such samples, except
/// those of bones and those behind which nothing of the solid would remain.
ContactSeparation separate_contacts(const Character& character, const Solid& solid,
                                    const BoneVoxels& bones, const ContactOptions& options = {});

/// Makes the voxels exterior.
void cut_out(std::span<const MortonCode> voxels, Solid& solid);

/// The vertices, those in cut voxels moved into the nearest voxel of the solid that does not lie in
/// front of their surface (if there is one within three voxels); welded vertices together. `solid`:
/// after cut_out().
std::vector<Eigen::Vector3i> positions_behind_cut(const Character& character,
                                                  std::span<const MortonCode> cut,
                                                  const Solid& solid);

}  // namespace gvbind
