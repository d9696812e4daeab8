#include "gvbind/bind.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

#include "gvbind/bone_layout.h"
#include "gvbind/bone_reach.h"
#include "gvbind/boundary.h"
#include "gvbind/classify.h"
#include "gvbind/device.h"
#include "gvbind/error.h"
#include "gvbind/falloff.h"
#include "gvbind/geodesic_distance.h"
#include "gvbind/peak_memory.h"
#include "gvbind/rigid_parts.h"
#include "gvbind/single_votes.h"
#include "gvbind/sparse_voxels.h"
#include "gvbind/starts.h"

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

std::string label(std::span<const JointPoint> joints, std::size_t i) {
  return joints[i].name.empty() ? "joint " + std::to_string(i) : "joint '" + joints[i].name + "'";
}

void validate(std::span<const JointPoint> joints) {
  if (joints.size() > most_influences)
    throw Error(ErrorKind::cannot_bind, std::to_string(joints.size()) + " joints; at most " +
                                            std::to_string(most_influences));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int parent = joints[i].parent;
    if (parent < -1 || (parent >= 0 && static_cast<std::size_t>(parent) >= i))
      throw Error(ErrorKind::cannot_bind, label(joints, i) + ": its parent " +
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

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", part * 100.0);
  return text;
}

void report_outside(const Starts& starts, std::span<const JointPoint> joints, Findings& findings) {
  for (const OutsideInfluence& outside : starts.outside) {
    const double part = outside.distance / (lattice_size - 2 * lattice_margin);
    findings.push_back({Severity::warning, "joint-outside",
                        label(joints, outside.influence) +
                            " meets no voxel of the mesh: starts from the nearest, " +
                            percent(part) + " of the box away",
                        joints[outside.influence].name});
  }
}

void report_joints(const UnitScene& scene, std::span<const JointPoint> joints, BindResult& result) {
  std::vector<std::size_t>& vertices = result.statistics.joint_vertices;
  vertices.assign(scene.influences.size(), 0);
  for (const std::uint32_t influence : result.weights.influence) ++vertices[influence];
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (vertices[i] == 0 && !scene.influences[i].empty()) {
      result.findings.push_back({Severity::note, "joint-without-vertices",
                                 label(joints, i) + " owns no vertex: others are nearer everywhere",
                                 joints[i].name});
    }
}

void report_unreached(std::size_t unreached, BindResult& result) {
  result.statistics.unreached_vertices = unreached;
  if (unreached == 0) return;
  result.findings.push_back({Severity::warning, "vertices-unreached",
                             std::to_string(unreached) + " of " +
                                 std::to_string(result.weights.vertex_count()) +
                                 " vertices are reached by no joint inside the volume: they take "
                                 "the weights of the nearest reached vertex",
                             ""});
}

void keep_counts(const Solid& solid, BindStatistics& statistics) {
  statistics.interior_voxels = solid.interior_voxels;
  statistics.boundary_voxels = solid.boundary_voxels;
  statistics.single_votes = solid.single_votes;
  statistics.winding_interior = solid.winding_interior;
}

/// Straight distances may bring a joint forward that is further by path, and parts may refuse the
/// nearest. More than four labels bring no better weights.
int labels_a_voxel(const BindOptions& options) {
  constexpr int enough = 4;
  if (options.max_influences == 0 || !(options.straight || options.rigid))
    return options.max_influences;
  return std::max(options.max_influences, enough);
}

void report_rigid(const RigidCount& count, Findings& findings) {
  if (count.parts == 0) return;
  findings.push_back({Severity::note, "rigid-parts",
                      std::to_string(count.parts) + " parts of the mesh, " +
                          std::to_string(count.vertices) + " vertices, go with one joint each",
                      ""});
}

VertexWeights weigh(const UnitScene& scene, const SparseVoxels& voxels, const DistanceField& field,
                    const BindOptions& options, Findings& findings) {
  std::optional<BoneReach> reach;
  if (options.straight) reach = bone_reach(scene, voxels);
  const FalloffOptions falloff{options.alpha, options.max_influences};
  if (!options.rigid)
    return weights_at(voxels, field, scene.positions, falloff, reach ? &*reach : nullptr);
  const MeshParts parts = mesh_parts(scene);
  const PartJoints joints = part_joints(scene, parts);
  const auto admits = [&](std::size_t vertex, std::uint32_t influence) {
    const std::uint32_t part = parts.part[vertex];
    return part == no_part || joints.admits[part][influence];
  };
  VertexWeights weights =
      weights_at(voxels, field, scene.positions, falloff, reach ? &*reach : nullptr, admits);
  report_rigid(bind_rigid_parts(parts, joints, weights), findings);
  return weights;
}

BindResult run_stages(std::span<const Eigen::Vector3d> positions,
                      std::span<const Triangle> triangles, std::span<const JointPoint> joints,
                      const BindOptions& options, const Progress& progress) {
  BindResult result;
  BindStatistics& statistics = result.statistics;
  StageClock clock(statistics.stages, progress);
  const int r = options.resolution;

  const BoneLayout layout = clock.run("normalize", [&] {
    return lay_out_bones(positions, triangles, joints, {options.leaf, options.find_controls});
  });
  const UnitScene& scene = layout.scene;
  result.findings = layout.findings;
  std::vector<std::vector<MortonCode>> bones;
  BitGrid boundary = clock.run("octree", [&] {
    bones = bone_voxels(scene, r);
    return boundary_voxels(scene, r);
  });
  VotedSolid voted = clock.run("solid", [&] {
    DeviceVotes votes = device_votes(options.device, scene, r, options.views);
    statistics.device = votes.device;
    for (Finding& finding : votes.findings) result.findings.push_back(std::move(finding));
    return classify(std::move(votes.votes), std::move(boundary));
  });
  const Solid solid = clock.run("winding", [&] {
    if (options.winding) decide_single_votes(voted, scene);
    voted.single = {};
    return std::move(voted.solid);
  });
  keep_counts(solid, statistics);
  const SparseVoxels voxels =
      clock.run("sparse voxels", [&] { return sparse_voxels(solid, bones); });
  statistics.sparse_voxels = voxels.size();
  const DistanceField field = clock.run("distances", [&] {
    const Starts starts = start_voxels(scene, bones, voxels);
    if (starts.starts.empty())
      throw Error(ErrorKind::cannot_bind, "no joint deforms: there is nothing to bind to");
    report_outside(starts, joints, result.findings);
    return geodesic_distances(voxels, starts.starts, joints.size(),
                              {options.penalty, labels_a_voxel(options)});
  });
  std::size_t unreached = 0;
  result.weights = clock.run("weights", [&] {
    VertexWeights weights = weigh(scene, voxels, field, options, result.findings);
    unreached = fill_empty_rows(scene.positions, weights);
    return weights;
  });
  if (result.weights.influence.empty())
    throw Error(ErrorKind::cannot_bind, "no vertex is reached by any joint");
  report_unreached(unreached, result);
  report_joints(scene, joints, result);
  return result;
}

}  // namespace

BindResult bind(std::span<const Eigen::Vector3d> positions, std::span<const Triangle> triangles,
                std::span<const JointPoint> joints, const BindOptions& options,
                const Progress& progress) {
  validate(options);
  validate(joints);
  try {
    return run_stages(positions, triangles, joints, options, progress);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::resource,
                "not enough memory at resolution " + std::to_string(options.resolution));
  }
}

}  // namespace gvbind
