#include "gvbind/bind_stages.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <string>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/base/peak_memory.h"
#include "gvbind/base/utf8.h"
#include "gvbind/bind_findings.h"
#include "gvbind/character_solid.h"
#include "gvbind/distance/bridge_components.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

void validate_falloff(double alpha, int max_influences, double prune) {
  if (!(alpha >= 0.0 && alpha <= 1.0)) refuse("alpha " + std::to_string(alpha) + ": from 0 to 1");
  if (max_influences < 0)
    refuse("max-influences " + std::to_string(max_influences) + ": 1 or more, or 0 for all");
  if (!(prune >= 0.0 && prune <= 1.0)) refuse("prune " + std::to_string(prune) + ": from 0 to 1");
}

void validate_alphas(std::span<const JointAlpha> alphas, std::size_t joints) {
  for (const JointAlpha& own : alphas) {
    for (const std::uint32_t joint : own.joints)
      if (joint >= joints) refuse("rules: there is no joint " + std::to_string(joint));
    if (!(own.alpha >= 0.0 && own.alpha <= 1.0))
      refuse("rules: alpha " + std::to_string(own.alpha) + ": from 0 to 1");
  }
}

void validate_options(const BindOptions& o) {
  if (o.resolution < 16 || o.resolution > 2048 || !std::has_single_bit(unsigned(o.resolution)))
    refuse("resolution " + std::to_string(o.resolution) + ": a power of two from 16 to 2048");
  if (!(o.penalty >= 1.0 && o.penalty <= 1000.0))
    refuse("penalty " + std::to_string(o.penalty) + ": from 1 to 1000");
  validate_falloff(o.alpha, o.max_influences, o.prune);
  if (o.threads < 0) refuse("threads " + std::to_string(o.threads) + ": 1 or more, or 0 for all");
  if (o.views == 0 || (o.views & ~unsigned{all_views}) != 0)
    refuse("views " + std::to_string(o.views) + ": at least one of the six");
}

void validate_joints(std::span<const Joint> joints) {
  require_joint_count(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int parent = joints[i].parent;
    if (parent < -1 || (parent >= 0 && static_cast<std::size_t>(parent) >= i))
      throw Error(ErrorKind::cannot_bind, joint_label(joints, i) + ": its parent " +
                                              std::to_string(parent) + " is no earlier joint");
  }
}

void validate_rules(const BindRules& rules, std::size_t joints) {
  const auto check = [&](std::span<const std::uint32_t> listed) {
    for (const std::uint32_t joint : listed)
      if (joint >= joints) refuse("rules: there is no joint " + std::to_string(joint));
  };
  for (const SeedRegion& volume : rules.volumes) check({&volume.joint, 1});
  for (const JointRegion& region : rules.regions) {
    if (region.joints.empty()) refuse("rules: a region without joints");
    check(region.joints);
  }
  for (const ForbiddenJoints& pair : rules.forbidden) {
    check(pair.first);
    check(pair.second);
  }
  validate_alphas(rules.alphas, joints);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Bones, and axes of seed regions. Straight distances are measured from these; a region that meets
/// no voxel gets seeds from its axis.
LatticeBones with_axes(LatticeBones bones, std::span<const SeedRegion> volumes,
                       const UnitCube& cube) {
  for (const SeedRegion& volume : volumes) {
    const Primitive& where = volume.where;
    if (where.kind == Primitive::Kind::half_space) continue;
    Eigen::Vector3d a = where.a, b = where.kind == Primitive::Kind::sphere ? where.a : where.b;
    if (where.kind == Primitive::Kind::box) {
      const Eigen::Vector3d middle = (a + b) / 2.0;
      int longest = 0;
      (b - a).cwiseAbs().maxCoeff(&longest);
      for (int k = 0; k < 3; ++k)
        if (k != longest) a[k] = b[k] = middle[k];
    }
    bones[volume.joint].push_back(
        {cube.to_lattice(where.frame * a), cube.to_lattice(where.frame * b)});
  }
  return bones;
}

Seeds find_seeds(const LatticeBones& segments, const BoneVoxels& bones, const SparseVoxels& voxels,
                 std::span<const Joint> joints, OutsideRule rule) {
  Seeds seeds = seed_voxels(segments, bones, voxels, rule);
  if (rule == OutsideRule::error && !seeds.outside.empty()) refuse_outside(seeds.outside, joints);
  if (seeds.seeds.empty())
    throw Error(ErrorKind::cannot_bind,
                seeds.outside.empty()
                    ? "no joint deforms: there is nothing to bind to"
                    : "no joint is inside the mesh, and those outside are skipped");
  return seeds;
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

Falloff falloff_of(const BindOptions& options) {
  return {options.alpha,   options.max_influences, options.prune,
          options.falloff, options.rules.alphas,   options.limit};
}

void StageClock::begin(const char* name) {
  check_stop();
  if (monitor_.progress) monitor_.progress(name, static_cast<double>(times_.size()) / stages_);
  started_ = seconds_now();
}

void StageClock::end(const char* name) {
  times_.push_back({name, seconds_now() - started_, peak_memory_bytes()});
}

void require_joint_count(std::size_t joints) {
  if (joints > joint_limit)
    throw Error(ErrorKind::cannot_bind,
                grouped(joints) + " joints; at most " + grouped(joint_limit) + " can be bound");
}

void validate(const BindOptions& options, std::span<const Joint> joints) {
  validate_options(options);
  validate_joints(joints);
  validate_rules(options.rules, joints.size());
}

void validate(const Falloff& falloff, std::size_t joints) {
  validate_falloff(falloff.alpha, falloff.max_influences, falloff.prune);
  validate_alphas(falloff.joint_alphas, joints);
}

// The Euclidean correction can promote a joint that is further by path, and components can reject
// the nearest. More than four labels do not improve weights.
int labels_per_voxel(const BindOptions& options) {
  constexpr int enough = 4;
  if (options.max_influences == 0 ||
      (options.distance == DistanceRule::path && options.components == ComponentRule::bend &&
       options.limit == LimitRule::cut))
    return options.max_influences;
  // The smooth limit needs the first dropped joint.
  const int beyond = options.limit == LimitRule::smooth ? 1 : 0;
  return std::max(options.max_influences + beyond, enough);
}

std::vector<RegionField> region_fields(const SparseVoxels& voxels, std::span<const Seed> seeds,
                                       std::size_t joints, const BindOptions& options) {
  std::vector<RegionField> fields;
  for (const JointRegion& region : options.rules.regions) {
    RegionField made{region.where, region.joints, std::vector<bool>(joints), {}};
    for (const std::uint32_t joint : region.joints) made.owns[joint] = true;
    std::vector<Seed> own;
    for (const Seed& seed : seeds)
      if (made.owns[label_joint(seed.label)]) own.push_back(seed);
    const DistanceOptions distance{options.penalty, labels_per_voxel(options)};
    if (region.joints.size() > 1 && !own.empty()) {
      made.field = geodesic_distances(voxels, own, joints, distance);
      bridge_components(voxels, distance, made.field);
    }
    fields.push_back(std::move(made));
  }
  return fields;
}

CharacterOptions character_options(const BindOptions& options) {
  return {options.leaf, options.controls, options.faces};
}

CharacterDistances character_distances(Character character, std::span<const Joint> joints,
                                       const BindOptions& options, StageClock& clock,
                                       BindResult& result) {
  for (const Finding& finding : character.findings) result.findings.push_back(finding);
  CharacterSolid solid = character_solid(character, joints, options, clock, result);
  CharacterDistances made;
  made.points = std::move(solid.points);
  made.voxels = clock.run("sparse voxels",
                          [&] { return sparse_voxels(std::move(solid.solid), solid.bones); });
  result.statistics.sparse_voxels = made.voxels.size();
  made.volumes = options.rules.volumes;
  made.bones = with_axes(character.bones, made.volumes, character.cube);
  made.field = clock.run("distances", [&] {
    Seeds seeds = find_seeds(made.bones, solid.bones, made.voxels, joints, options.outside);
    made.outside = std::move(seeds.outside);
    made.seeds = std::move(seeds.seeds);
    made.regions = region_fields(made.voxels, made.seeds, joints.size(), options);
    return distances(made.voxels, made.seeds, joints.size(), options, result.findings);
  });
  if (options.outside == OutsideRule::snap)
    made.bones = snapped_bones(std::move(made.bones), made.outside);
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
