#include "gvbind/character_solid.h"

#include <algorithm>
#include <utility>

#include "gvbind/bind_findings.h"
#include "gvbind/solid/ambiguous_voxels.h"
#include "gvbind/solid/contact_separation.h"
#include "gvbind/solid/primitive_voxels.h"
#include "gvbind/solid/voxel_edits.h"
#include "gvbind/solid/voxelize.h"

namespace gvbind {

namespace {

/// Voxels that meet bones, and voxels that meet the surface.
struct MetVoxels {
  BoneVoxels bones;
  BitGrid boundary;
};

VotedSolid vote(const Character& character, const BindOptions& options, BitGrid boundary,
                BindResult& result) {
  DeviceVote cast =
      device_vote(options.device, options.gpu, character.mesh, std::move(boundary), options.views);
  result.statistics.device = cast.device;
  for (Finding& finding : cast.findings) result.findings.push_back(std::move(finding));
  return std::move(cast.voted);
}

Solid resolve(VotedSolid voted, const Character& character, const BindOptions& options,
              BindStatistics& statistics) {
  if (options.ambiguous == AmbiguousRule::winding)
    resolve_ambiguous_voxels(voted, character.mesh, character.winding);
  const Solid& solid = voted.solid;
  statistics.interior_voxels = solid.interior_voxels;
  statistics.boundary_voxels = solid.boundary_voxels;
  statistics.ambiguous_voxels = solid.ambiguous_voxels;
  statistics.ambiguous_interior = solid.ambiguous_interior;
  return std::move(voted.solid);
}

/// Separates contacts, then applies edits. Returns the points at which to read the vertices'
/// distances; empty if those are the vertices.
std::vector<Eigen::Vector3i> cut_and_edit(const Character& character, const BoneVoxels& bones,
                                          std::span<const Joint> joints, const BindOptions& options,
                                          Solid& solid, BindResult& result, SolidTrace* trace) {
  std::vector<MortonCode> cut;
  if (options.touching == TouchRule::separate) {
    ContactSeparation contacts = separate_contacts(character, solid, bones);
    report_contacts(contacts, joints, result.findings);
    cut = std::move(contacts.cut);
    cut_out(cut, solid);
  }
  if (trace) trace->separated = solid.non_exterior;
  if (!options.rules.edits.empty()) {
    VoxelEdits edited = apply_edits(options.rules.edits, character.cube, solid);
    cut.insert(cut.end(), edited.cut.begin(), edited.cut.end());
    std::ranges::sort(cut);
    std::erase_if(cut, [&](MortonCode code) { return solid.non_exterior.test(morton_cell(code)); });
    result.statistics.rules.edits = std::move(edited.changed);
    result.statistics.interior_voxels = solid.interior_voxels;
    result.statistics.boundary_voxels = solid.boundary_voxels;
  }
  if (cut.empty()) return {};
  return positions_behind_cut(character, cut, solid);
}

/// Adds the solid's voxels in seed regions to those of the bones.
void add_volume_voxels(std::span<const SeedRegion> volumes, const UnitCube& cube,
                       const Solid& solid, BoneVoxels& bones, RuleUse& use) {
  for (const SeedRegion& volume : volumes) {
    const std::vector<MortonCode> codes = voxels_within(volume.where, cube, solid.non_exterior);
    std::vector<MortonCode>& own = bones[volume.joint];
    own.insert(own.end(), codes.begin(), codes.end());
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    use.volumes.push_back(codes.size());
  }
}

}  // namespace

CharacterSolid character_solid(Character& character, std::span<const Joint> joints,
                               const BindOptions& options, StageClock& clock, BindResult& result,
                               SolidTrace* trace) {
  MetVoxels met = clock.run("boundary", [&] {
    return MetVoxels{bone_voxels(character.bones, options.resolution),
                     boundary_voxels(character.mesh, options.resolution)};
  });
  VotedSolid voted =
      clock.run("solid", [&] { return vote(character, options, std::move(met.boundary), result); });
  if (trace) trace->voted = voted.solid.non_exterior;
  CharacterSolid made;
  made.bones = std::move(met.bones);
  made.solid = clock.run("winding", [&] {
    Solid resolved = resolve(std::move(voted), character, options, result.statistics);
    character.winding = {};  // frees memory for the voxels
    return resolved;
  });
  if (trace) trace->decided = made.solid.non_exterior;
  made.points = clock.run("contacts", [&] {
    auto points = cut_and_edit(character, made.bones, joints, options, made.solid, result, trace);
    add_volume_voxels(options.rules.volumes, character.cube, made.solid, made.bones,
                      result.statistics.rules);
    return points;
  });
  return made;
}

VoxelKind voxel_kind(const Solid& solid, const SolidTrace& trace, const Eigen::Vector3i& voxel) {
  const bool before_edits = trace.separated.test(voxel), decided = trace.decided.test(voxel);
  const bool boundary = solid.boundary.test(voxel);
  if (!solid.non_exterior.test(voxel)) {
    if (before_edits) return VoxelKind::cut;
    return decided ? VoxelKind::separated : VoxelKind::exterior;
  }
  if (!before_edits) return boundary ? VoxelKind::sealed : VoxelKind::added;
  if (boundary) return VoxelKind::boundary;
  return trace.voted.test(voxel) ? VoxelKind::interior : VoxelKind::winding;
}

}  // namespace gvbind
