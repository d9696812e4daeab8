#pragma once

// Tested by tests/unit/gvbind/bind_skin_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/distance/seeds.h"
#include "gvbind/prepare/character.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// A region whose vertices belong to its joints alone.
struct RegionField {
  Primitive where;
  std::vector<std::uint32_t> joints;
  std::vector<bool> owns;  ///< by joint, whether it is one of them
  DistanceField field;     ///< of those joints; empty where there is one, or none of them has seeds
};

/// A character with the distances of its joints: all that does not depend on the falloff.
struct CharacterDistances {
  Character character;  ///< its winding tree is released
  LatticeBones bones;   ///< those of joints outside moved where the options want that; the axes
                        ///< of `volumes` are among them
  SparseVoxels voxels;
  DistanceField field;
  /// Where the distances of the vertices are read: the vertices, but those at a cut contact moved
  /// to their side of it. Empty where no contact was cut: the vertices themselves.
  std::vector<Eigen::Vector3i> points;
  std::vector<OutsideJoint> outside;
  std::vector<Seed> seeds;           ///< where distances begin
  std::vector<RegionField> regions;  ///< in the order of the rules
  /// Regions where distances of joints begin beside bones, for those who compute other distances.
  std::vector<SeedRegion> volumes;

  std::span<const Eigen::Vector3i> reading_points() const {
    return points.empty() ? character.mesh.positions : points;
  }
};

}  // namespace gvbind
