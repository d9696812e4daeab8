#include "gvbind/fitted/candidate_field.h"

#include <algorithm>

#include "gvbind/base/morton.h"
#include "gvbind/distance/bridge_components.h"
#include "gvbind/fitted/path_hull.h"
#include "gvbind/solid/bit_grid.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/primitive_voxels.h"

namespace gvbind {

namespace {

BitGrid solid_cells(const SparseVoxels& fine, int resolution) {
  int shift = 0;
  while (fine.resolution >> shift > resolution) ++shift;
  BitGrid cells(resolution);
  for (const Leaf& leaf : fine.leaves) {
    const Eigen::Vector3i low = morton_cell(leaf.code());
    const int side = 1 << leaf.level;
    const Eigen::Vector3i first(low.x() >> shift, low.y() >> shift, low.z() >> shift);
    const Eigen::Vector3i last((low.x() + side - 1) >> shift, (low.y() + side - 1) >> shift,
                               (low.z() + side - 1) >> shift);
    for (int z = first.z(); z <= last.z(); ++z)
      for (int y = first.y(); y <= last.y(); ++y)
        for (int x = first.x(); x <= last.x(); ++x) cells.set(x, y, z);
  }
  return cells;
}

LatticeBones offered_bones(const CharacterDistances& distances, std::span<const Joint> joints,
                           OutsideRule outside) {
  const std::vector<JointBones> all = bone_segments(joints, {LeafRule::extend});
  LatticeBones bones = lattice_bones(distances.character.cube, all);
  const auto in_cube = [](const LatticeSegment& s) {
    return s.a.minCoeff() >= 0 && s.b.minCoeff() >= 0 && s.a.maxCoeff() <= lattice_size &&
           s.b.maxCoeff() <= lattice_size;
  };
  for (std::size_t j = 0; j < bones.size(); ++j) {
    if (!distances.bones[j].empty() || distances.character.is_garment) {
      bones[j] = distances.bones[j];
      continue;
    }
    if (!std::all_of(bones[j].begin(), bones[j].end(), in_cube)) bones[j].clear();
  }
  if (outside == OutsideRule::skip)
    for (const OutsideJoint& joint : distances.outside) bones[joint.joint].clear();
  return bones;
}

/// Adds cells in seed regions to those of the bones.
void add_volume_cells(const CharacterDistances& distances, const BitGrid& solid,
                      BoneVoxels& bones) {
  for (const SeedRegion& volume : distances.volumes) {
    std::vector<MortonCode>& own = bones[volume.joint];
    const auto codes = voxels_within(volume.where, distances.character.cube, solid);
    own.insert(own.end(), codes.begin(), codes.end());
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
}

}  // namespace

CandidateField candidate_field(const CharacterDistances& distances, std::span<const Joint> joints,
                               const CandidateOptions& options) {
  CandidateField made;
  const int r = std::min(options.resolution, distances.voxels.resolution);
  made.bones = offered_bones(distances, joints, options.outside);
  const BitGrid solid = solid_cells(distances.voxels, r);
  BoneVoxels bones = bone_voxels(made.bones, r);
  add_volume_cells(distances, solid, bones);
  Solid space;
  space.non_exterior = dilated(solid, options.air_margin);
  clear_beyond_hull(solid, bones, space.non_exterior);
  space.boundary = BitGrid(r);
  for (std::size_t w = 0; w < solid.words.size(); ++w)
    space.boundary.words[w] = space.non_exterior.words[w] & ~solid.words[w];
  made.voxels = sparse_voxels(std::move(space), bones, {.coarsest_cells = r});
  Seeds seeds = seed_voxels(made.bones, bones, made.voxels, OutsideRule::extend);
  const DistanceOptions distance{options.air_cost, options.candidates};
  made.field = geodesic_distances(made.voxels, seeds.seeds, joints.size(), distance);
  bridge_components(made.voxels, distance, made.field);
  made.is_outside.assign(joints.size(), false);
  for (const OutsideJoint& o : seeds.outside) made.is_outside[o.joint] = true;
  return made;
}

}  // namespace gvbind
