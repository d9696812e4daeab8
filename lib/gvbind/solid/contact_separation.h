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
  /// Two surfaces are separated if the path along the skeleton between their bones is longer than
  /// this multiple of the path across the contact.
  double far_along = 2.5;
};

/// A contact of two joints' surfaces without an exterior voxel between them.
struct SurfaceContact {
  std::uint32_t a, b;  ///< joints, a < b
  std::size_t voxels;  ///< number separated
};

struct ContactSeparation {
  std::vector<MortonCode> cut;           ///< boundary voxels between the surfaces; ascending
  std::vector<SurfaceContact> contacts;  ///< by a, then b; voxels > 0
  std::size_t too_thin = 0;              ///< contacts of surfaces too thin to be separated
};

/// Finds contacts where two sheets face each other across a gap too narrow for the voxels (fingers,
/// thighs, an arm on the hip), while their bones are far apart along the skeleton. Weights would
/// leak across them. Samples p and q of the two sheets, with the points b_p and b_q of their
/// visible bones (bone_visibility.h), are separated if
///   skeleton(b_p, b_q) > far_along * (|b_p - p| + |p - q| + |q - b_q|).
/// `cut` holds the boundary voxels within half a voxel of such samples, except voxels of bones, and
/// except where no solid would remain behind them.
ContactSeparation separate_contacts(const Character& character, const Solid& solid,
                                    const BoneVoxels& bones, const ContactOptions& options = {});

/// Makes the voxels exterior.
void cut_out(std::span<const MortonCode> voxels, Solid& solid);

/// The vertices' positions; those in cut voxels move into the nearest voxel of the solid that is
/// not in front of their surface, if there is one within three voxels. Welded vertices move
/// together. `solid`: after cut_out().
std::vector<Eigen::Vector3i> positions_behind_cut(const Character& character,
                                                  std::span<const MortonCode> cut,
                                                  const Solid& solid);

}  // namespace gvbind
