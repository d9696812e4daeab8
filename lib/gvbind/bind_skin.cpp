#include "gvbind/bind_skin.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "gvbind/base/peak_memory.h"
#include "gvbind/bind_findings.h"
#include "gvbind/distance/bridge_components.h"
#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/distance/seeds.h"
#include "gvbind/error.h"
#include "gvbind/prepare/character.h"
#include "gvbind/solid/ambiguous_voxels.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/contact_separation.h"
#include "gvbind/solid/vote.h"
#include "gvbind/solid/voxelize.h"
#include "gvbind/volume/sparse_voxels.h"
#include "gvbind/weights/component_joints.h"
#include "gvbind/weights/euclidean_correction.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/rigid_components.h"

namespace gvbind {

namespace {

constexpr int stage_count = 8;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

void validate(const BindOptions& o) {
  if (o.resolution < 16 || o.resolution > 2048 || !std::has_single_bit(unsigned(o.resolution)))
    refuse("resolution " + std::to_string(o.resolution) + ": a power of two from 16 to 2048");
  if (!(o.penalty >= 1.0 && o.penalty <= 1000.0))
    refuse("penalty " + std::to_string(o.penalty) + ": from 1 to 1000");
  if (!(o.alpha >= 0.0 && o.alpha <= 1.0))
    refuse("alpha " + std::to_string(o.alpha) + ": from 0 to 1");
  if (o.max_influences < 0)
    refuse("max-influences " + std::to_string(o.max_influences) + ": 1 or more, or 0 for all");
  int axes = 0;
  for (int axis = 0; axis < 3; ++axis)
    axes += (o.views & (view_plus_x | view_minus_x) << (2 * axis)) != 0;
  if ((o.views & ~unsigned{all_views}) != 0 || axes < 2)
    refuse("views " + std::to_string(o.views) + ": at least one of each of two axes");
}

void validate(std::span<const Joint> joints) {
  if (joints.size() > joint_limit)
    throw Error(ErrorKind::cannot_bind,
                std::to_string(joints.size()) + " joints; at most " + std::to_string(joint_limit));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int parent = joints[i].parent;
    if (parent < -1 || (parent >= 0 && static_cast<std::size_t>(parent) >= i))
      throw Error(ErrorKind::cannot_bind, joint_label(joints, i) + ": its parent " +
                                              std::to_string(parent) + " is no earlier joint");
  }
}

/// Runs stages in turn and keeps their times.
class StageClock {
 public:
  StageClock(std::vector<StageTime>& stages, const Progress& progress)
      : stages_(stages), progress_(progress) {}

  template <class Stage>
  auto run(const char* name, const Stage& stage) {
    if (progress_) progress_(name, static_cast<double>(stages_.size()) / stage_count);
    const auto begin = std::chrono::steady_clock::now();
    auto result = stage();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    stages_.push_back({name, passed.count(), peak_memory_bytes()});
    return result;
  }

 private:
  std::vector<StageTime>& stages_;
  const Progress& progress_;
};

/// The voxels that bones and surface meet.
struct MetVoxels {
  BoneVoxels bones;
  BitGrid boundary;
};

VotedSolid vote(const Character& character, const BindOptions& options, BitGrid boundary,
                BindResult& result) {
  DeviceVotes votes = voxelize(options.device, character.mesh, options.resolution, options.views);
  result.statistics.device = votes.device;
  for (Finding& finding : votes.findings) result.findings.push_back(std::move(finding));
  return combine_votes(std::move(votes.votes), std::move(boundary));
}

Solid resolve(VotedSolid voted, const Character& character, const BindOptions& options,
              BindStatistics& statistics) {
  if (options.winding) resolve_ambiguous_voxels(voted, character.winding);
  const Solid& solid = voted.solid;
  statistics.interior_voxels = solid.interior_voxels;
  statistics.boundary_voxels = solid.boundary_voxels;
  statistics.ambiguous_voxels = solid.ambiguous_voxels;
  statistics.ambiguous_interior = solid.ambiguous_interior;
  return std::move(voted.solid);
}

/// Cuts contacts out of the solid. Returns the points at which distances are then to be read for
/// the vertices; none if those are the vertices themselves.
std::vector<Eigen::Vector3i> cut_contacts(const Character& character, const BoneVoxels& bones,
                                          std::span<const Joint> joints, Solid& solid,
                                          Findings& findings) {
  const ContactSeparation contacts = separate_contacts(character, solid, bones);
  report_contacts(contacts, joints, findings);
  if (contacts.cut.empty()) return {};
  cut_out(contacts.cut, solid);
  return positions_behind_cut(character, contacts.cut, solid);
}

Seeds find_seeds(const Character& character, const BoneVoxels& bones, const SparseVoxels& voxels,
                 std::span<const Joint> joints, OutsideRule rule) {
  Seeds seeds = seed_voxels(character.bones, bones, voxels, rule);
  if (rule == OutsideRule::error && !seeds.outside.empty()) refuse_outside(seeds.outside, joints);
  if (seeds.seeds.empty())
    throw Error(ErrorKind::cannot_bind,
                seeds.outside.empty()
                    ? "no joint deforms: there is nothing to bind to"
                    : "no joint is inside the mesh, and those outside are skipped");
  return seeds;
}

/// The Euclidean correction may bring a joint forward that is further by path, and components may
/// refuse the nearest. More than four labels bring no better weights.
int labels_per_voxel(const BindOptions& options) {
  constexpr int enough = 4;
  if (options.max_influences == 0 || !(options.straight || options.rigid))
    return options.max_influences;
  return std::max(options.max_influences, enough);
}

DistanceField distances(const SparseVoxels& voxels, std::span<const Seed> seeds, std::size_t joints,
                        const BindOptions& options, Findings& findings) {
  const DistanceOptions distance{options.penalty, labels_per_voxel(options)};
  DistanceField field = geodesic_distances(voxels, seeds, joints, distance);
  report_bridges(bridge_components(voxels, distance, field), findings);
  return field;
}

/// `points`: the vertices, or where their distances are to be read.
SkinWeights weights(const Character& character, const LatticeBones& bones,
                    const SparseVoxels& voxels, const DistanceField& field,
                    std::span<const Eigen::Vector3i> points, const BindOptions& options,
                    Findings& findings) {
  std::optional<EuclideanCorrection> correction;
  if (options.straight) correction = euclidean_correction(bones, voxels);
  const EuclideanCorrection* const corrected = correction ? &*correction : nullptr;
  const FalloffOptions falloff{options.alpha, options.max_influences};
  if (!options.rigid) return weights_at(voxels, field, points, falloff, corrected);
  const Components& components = character.components;
  const ComponentJoints joints = component_joints(character, bones);
  const auto admits = [&](std::size_t vertex, std::uint32_t joint) {
    const std::uint32_t component = components.component[vertex];
    return component == no_component || joints.admits[component][joint];
  };
  SkinWeights weights = weights_at(voxels, field, points, falloff, corrected, admits);
  report_rigid(bind_rigid_components(components, joints, weights), findings);
  return weights;
}

void run_stages(Character character, std::span<const Joint> joints, const BindOptions& options,
                StageClock& clock, BindResult& result) {
  BindStatistics& statistics = result.statistics;
  result.findings = character.findings;
  MetVoxels met = clock.run("boundary", [&] {
    return MetVoxels{bone_voxels(character.bones, options.resolution),
                     boundary_voxels(character.mesh, options.resolution)};
  });
  VotedSolid voted =
      clock.run("solid", [&] { return vote(character, options, std::move(met.boundary), result); });
  Solid solid = clock.run("winding", [&] {
    Solid resolved = resolve(std::move(voted), character, options, statistics);
    character.winding = {};  // its memory serves the voxels
    return resolved;
  });
  const std::vector<Eigen::Vector3i> moved =
      clock.run("contacts", [&]() -> std::vector<Eigen::Vector3i> {
        if (!options.separate_touching) return {};
        return cut_contacts(character, met.bones, joints, solid, result.findings);
      });
  const SparseVoxels voxels =
      clock.run("sparse voxels", [&] { return sparse_voxels(solid, met.bones); });
  statistics.sparse_voxels = voxels.size();
  Seeds seeds;
  const DistanceField field = clock.run("distances", [&] {
    seeds = find_seeds(character, met.bones, voxels, joints, options.outside);
    return distances(voxels, seeds.seeds, joints.size(), options, result.findings);
  });
  std::size_t unreached = 0;
  result.weights = clock.run("weights", [&] {
    const LatticeBones bound = options.outside == OutsideRule::snap
                                   ? snapped_bones(character.bones, seeds.outside)
                                   : character.bones;
    SkinWeights rows =
        weights(character, bound, voxels, field, moved.empty() ? character.mesh.positions : moved,
                options, result.findings);
    unreached = fill_empty_rows(character.mesh.positions, rows);
    return rows;
  });
  if (result.weights.influence.empty())
    throw Error(ErrorKind::cannot_bind, "no vertex is reached by any joint");
  report_unreached(unreached, result);
  report_joints(character.bones, seeds.outside, joints, options.outside, result);
}

/// Runs body(result, clock) once options and joints are validated.
template <class Body>
BindResult run_validated(std::span<const Joint> joints, const BindOptions& options,
                         const Progress& progress, const Body& body) {
  validate(options);
  validate(joints);
  BindResult result;
  StageClock clock(result.statistics.stages, progress);
  try {
    body(result, clock);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::resource,
                "not enough memory at resolution " + std::to_string(options.resolution));
  }
  return result;
}

}  // namespace

CharacterOptions character_options(const BindOptions& options) {
  return {options.leaf, options.find_controls, options.orient_faces};
}

BindResult bind_skin(std::span<const Eigen::Vector3d> positions,
                     std::span<const Triangle> triangles, std::span<const Joint> joints,
                     const BindOptions& options, const Progress& progress) {
  return run_validated(joints, options, progress, [&](BindResult& result, StageClock& clock) {
    Character character = clock.run("prepare", [&] {
      return prepare_character(positions, triangles, joints, character_options(options));
    });
    run_stages(std::move(character), joints, options, clock, result);
  });
}

BindResult bind_skin(Character&& character, std::span<const Joint> joints,
                     const BindOptions& options, const Progress& progress) {
  return run_validated(joints, options, progress, [&](BindResult& result, StageClock& clock) {
    run_stages(std::move(character), joints, options, clock, result);
  });
}

}  // namespace gvbind
