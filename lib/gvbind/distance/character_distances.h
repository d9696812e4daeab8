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

/// A region whose vertices are bound to its joints only.
struct RegionField {
  Primitive where;
  std::vector<std::uint32_t> joints;
  std::vector<bool> owns;  ///< by joint: whether the region lists it
  DistanceField field;     ///< of those joints; empty if there is one, or none has seeds
};

/// A character with the distances of its joints, independent of the falloff.
struct CharacterDistances {
  Character character;  ///< its winding tree is released
  LatticeBones bones;  ///< with snapped bones if the options say so; includes the axes of `volumes`
  SparseVoxels voxels;
  DistanceField field;
  /// Where the vertices' distances are read: at the vertices, or beside a separated contact at a
  /// point on the vertex's side. Empty if no contact was separated (read at the vertices).
  std::vector<Eigen::Vector3i> points;
  std::vector<OutsideJoint> outside;
  std::vector<Seed> seeds;           ///< where distances start
  std::vector<RegionField> regions;  ///< in the order of the rules
  /// Where distances start in addition to bones; needed by other distance computations.
  std::vector<SeedRegion> volumes;

  std::span<const Eigen::Vector3i> reading_points() const {
    return points.empty() ? character.mesh.positions : points;
  }
};

}  // namespace gvbind
