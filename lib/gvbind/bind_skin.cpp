#include "gvbind/bind_skin.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "gvbind/base/peak_memory.h"
#include "gvbind/bind_findings.h"
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
#include "gvbind/weights/euclidean_correction.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/rigid_components.h"

namespace gvbind {

namespace {

constexpr int stage_count = 7;

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

  template <class Body>
  auto run(const char* name, const Body& body) {
    if (progress_) progress_(name, static_cast<double>(stages_.size()) / stage_count);
    const auto begin = std::chrono::steady_clock::now();
    auto result = body();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    stages_.push_back({name, passed.count(), peak_memory_bytes()});
    return result;
  }

 private:
  std::vector<StageTime>& stages_;
  const Progress& progress_;
};

void keep_counts(const Solid& solid, BindStatistics& statistics) {
  statistics.interior_voxels = solid.interior_voxels;
  statistics.boundary_voxels = solid.boundary_voxels;
  statistics.ambiguous_voxels = solid.ambiguous_voxels;
  statistics.ambiguous_interior = solid.ambiguous_interior;
}

/// Straight distances may bring a joint forward that is further by path, and parts may refuse the
/// nearest. More than four labels bring no better weights.
int labels_per_voxel(const BindOptions& options) {
  constexpr int enough = 4;
  if (options.max_influences == 0 || !(options.straight || options.rigid))
    return options.max_influences;
  return std::max(options.max_influences, enough);
}

/// `places`: the positions, or where their distances are to be read.
SkinWeights weigh(const UnitScene& scene, const SparseVoxels& voxels, const DistanceField& field,
                  std::span<const Eigen::Vector3i> places, const BindOptions& options,
                  Findings& findings) {
  std::optional<EuclideanCorrection> reach;
  if (options.straight) reach = euclidean_correction(scene, voxels);
  const FalloffOptions falloff{options.alpha, options.max_influences};
  if (!options.rigid) return weights_at(voxels, field, places, falloff, reach ? &*reach : nullptr);
  const Components components = connected_components(scene);
  const ComponentJoints joints = component_joints(scene, components);
  const auto admits = [&](std::size_t vertex, std::uint32_t influence) {
    const std::uint32_t component = components.component[vertex];
    return component == no_component || joints.admits[component][influence];
  };
  SkinWeights weights =
      weights_at(voxels, field, places, falloff, reach ? &*reach : nullptr, admits);
  report_rigid(bind_rigid_components(components, joints, weights), findings);
  return weights;
}

/// The stages in turn, on what those before have left.
class Stages {
 public:
  Stages(std::span<const Joint> joints, const BindOptions& options, const Progress& progress)
      : joints_(joints), options_(options), clock_(result_.statistics.stages, progress) {}

  BindResult run(std::span<const Eigen::Vector3d> positions, std::span<const Triangle> triangles) {
    UnitScene scene = clock_.run("normalize", [&] {
      Character layout =
          prepare_character(positions, triangles, joints_,
                            {options_.leaf, options_.find_controls, options_.orient_faces});
      result_.findings = std::move(layout.findings);
      return std::move(layout.scene);
    });
    Solid solid = make_solid(scene);
    std::vector<Eigen::Vector3i> places;
    const SparseVoxels voxels = clock_.run("sparse voxels", [&] {
      if (options_.separate_touching) places = separate_touching(scene, solid);
      return sparse_voxels(solid, bones_);
    });
    result_.statistics.sparse_voxels = voxels.size();
    const DistanceField field = clock_.run("distances", [&] { return distances(scene, voxels); });
    std::size_t unreached = 0;
    result_.weights = clock_.run("weights", [&] {
      SkinWeights weights = weigh(scene, voxels, field, places.empty() ? scene.positions : places,
                                  options_, result_.findings);
      unreached = fill_empty_rows(scene.positions, weights);
      return weights;
    });
    if (result_.weights.influence.empty())
      throw Error(ErrorKind::cannot_bind, "no vertex is reached by any joint");
    report_unreached(unreached, result_);
    report_joints(scene, outside_, joints_, options_.outside, result_);
    return std::move(result_);
  }

 private:
  Solid make_solid(const UnitScene& scene) {
    const int r = options_.resolution;
    BitGrid boundary = clock_.run("octree", [&] {
      bones_ = bone_voxels(scene, r);
      return boundary_voxels(scene, r);
    });
    VotedSolid voted = clock_.run("solid", [&] {
      DeviceVotes votes = voxelize(options_.device, scene, r, options_.views);
      result_.statistics.device = votes.device;
      for (Finding& finding : votes.findings) result_.findings.push_back(std::move(finding));
      return combine_votes(std::move(votes.votes), std::move(boundary));
    });
    Solid solid = clock_.run("winding", [&] {
      if (options_.winding) resolve_ambiguous_voxels(voted, scene);
      voted.ambiguous = {};
      return std::move(voted.solid);
    });
    keep_counts(solid, result_.statistics);
    return solid;
  }

  /// Cuts surfaces that touch apart; returns where the vertices' distances are then to be read, or
  /// nothing if that is where they are.
  std::vector<Eigen::Vector3i> separate_touching(const UnitScene& scene, Solid& solid) {
    const ContactSeparation touching =
        separate_contacts(scene, SkeletonDistance(joints_, scene.cube), solid, bones_);
    report_contacts(touching, joints_, result_.findings);
    if (touching.cut.empty()) return {};
    cut_out(touching.cut, solid);
    return positions_behind_cut(scene, touching.cut, solid);
  }

  DistanceField distances(UnitScene& scene, const SparseVoxels& voxels) {
    Seeds seeds = seed_voxels(scene, bones_, voxels, options_.outside);
    outside_ = std::move(seeds.outside);
    if (options_.outside == OutsideRule::error && !outside_.empty())
      refuse_outside(outside_, joints_);
    if (options_.outside == OutsideRule::snap) snap_bones(outside_, scene);
    if (seeds.seeds.empty())
      throw Error(ErrorKind::cannot_bind,
                  outside_.empty() ? "no joint deforms: there is nothing to bind to"
                                   : "no joint is inside the mesh, and those outside are skipped");
    const DistanceOptions how{options_.penalty, labels_per_voxel(options_)};
    DistanceField field = geodesic_distances(voxels, seeds.seeds, joints_.size(), how);
    report_bridges(bridge_components(voxels, how, field), result_.findings);
    return field;
  }

  std::span<const Joint> joints_;
  const BindOptions& options_;
  BindResult result_;
  StageClock clock_;
  std::vector<std::vector<MortonCode>> bones_;
  std::vector<OutsideJoint> outside_;
};

}  // namespace

BindResult bind_skin(std::span<const Eigen::Vector3d> positions,
                     std::span<const Triangle> triangles, std::span<const Joint> joints,
                     const BindOptions& options, const Progress& progress) {
  validate(options);
  validate(joints);
  try {
    return Stages(joints, options, progress).run(positions, triangles);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::resource,
                "not enough memory at resolution " + std::to_string(options.resolution));
  }
}

}  // namespace gvbind
