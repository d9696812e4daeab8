#include "gvbind/character_distances.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <string>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/base/peak_memory.h"
#include "gvbind/bind_findings.h"
#include "gvbind/distance/bridge_components.h"
#include "gvbind/solid/ambiguous_voxels.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/contact_separation.h"
#include "gvbind/solid/vote.h"
#include "gvbind/solid/voxelize.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

void validate_options(const BindOptions& o) {
  if (o.resolution < 16 || o.resolution > 2048 || !std::has_single_bit(unsigned(o.resolution)))
    refuse("resolution " + std::to_string(o.resolution) + ": a power of two from 16 to 2048");
  if (!(o.penalty >= 1.0 && o.penalty <= 1000.0))
    refuse("penalty " + std::to_string(o.penalty) + ": from 1 to 1000");
  if (!(o.alpha >= 0.0 && o.alpha <= 1.0))
    refuse("alpha " + std::to_string(o.alpha) + ": from 0 to 1");
  if (o.max_influences < 0)
    refuse("max-influences " + std::to_string(o.max_influences) + ": 1 or more, or 0 for all");
  if (o.threads < 0) refuse("threads " + std::to_string(o.threads) + ": 1 or more, or 0 for all");
  int axes = 0;
  for (int axis = 0; axis < 3; ++axis)
    axes += (o.views & (view_plus_x | view_minus_x) << (2 * axis)) != 0;
  if ((o.views & ~unsigned{all_views}) != 0 || axes < 2)
    refuse("views " + std::to_string(o.views) + ": at least one of each of two axes");
}

void validate_joints(std::span<const Joint> joints) {
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

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The voxels that bones and surface meet.
struct MetVoxels {
  BoneVoxels bones;
  BitGrid boundary;
};

VotedSolid vote(const Character& character, const BindOptions& options, BitGrid boundary,
                BindResult& result) {
  DeviceVotes votes =
      voxelize(options.device, options.gpu, character.mesh, options.resolution, options.views);
  result.statistics.device = votes.device;
  for (Finding& finding : votes.findings) result.findings.push_back(std::move(finding));
  return combine_votes(std::move(votes.votes), std::move(boundary));
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
  if (options.max_influences == 0 ||
      (options.distance == DistanceRule::path && options.components == ComponentRule::bend))
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

}  // namespace

BindOptions paper_options() {
  BindOptions options;
  options.alpha = 0.1;
  options.leaf = LeafRule::extend;
  options.distance = DistanceRule::path;
  options.components = ComponentRule::bend;
  options.controls = ControlRule::keep;
  options.faces = FaceRule::keep;
  options.touching = TouchRule::join;
  options.weights = WeightRule::falloff;
  return options;
}

void StageClock::begin(const char* name) {
  check_stop();
  if (monitor_.progress) monitor_.progress(name, static_cast<double>(times_.size()) / stages_);
  started_ = seconds_now();
}

void StageClock::end(const char* name) {
  times_.push_back({name, seconds_now() - started_, peak_memory_bytes()});
}

void validate(const BindOptions& options, std::span<const Joint> joints) {
  validate_options(options);
  validate_joints(joints);
}

CharacterOptions character_options(const BindOptions& options) {
  return {options.leaf, options.controls, options.faces};
}

CharacterDistances character_distances(Character character, std::span<const Joint> joints,
                                       const BindOptions& options, StageClock& clock,
                                       BindResult& result) {
  BindStatistics& statistics = result.statistics;
  for (const Finding& finding : character.findings) result.findings.push_back(finding);
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
  CharacterDistances made;
  made.points = clock.run("contacts", [&]() -> std::vector<Eigen::Vector3i> {
    if (options.touching == TouchRule::join) return {};
    return cut_contacts(character, met.bones, joints, solid, result.findings);
  });
  made.voxels = clock.run("sparse voxels", [&] { return sparse_voxels(solid, met.bones); });
  statistics.sparse_voxels = made.voxels.size();
  made.field = clock.run("distances", [&] {
    Seeds seeds = find_seeds(character, met.bones, made.voxels, joints, options.outside);
    made.outside = std::move(seeds.outside);
    return distances(made.voxels, seeds.seeds, joints.size(), options, result.findings);
  });
  made.bones = options.outside == OutsideRule::snap ? snapped_bones(character.bones, made.outside)
                                                    : character.bones;
  made.character = std::move(character);
  return made;
}

void run_monitored(const BindOptions& options, const Monitor& monitor,
                   const std::function<void()>& work) {
  try {
    with_threads(options.threads, monitor.stop, work);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::resource,
                "not enough memory at resolution " + std::to_string(options.resolution));
  }
}

}  // namespace gvbind
