#include "bind/bind_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "bind/scene_rules.h"
#include "character/bone_axis.h"
#include "character/given_vertices.h"
#include "character/shape_box.h"
#include "gvbind/base/utf8.h"
#include "gvbind/bind_stages.h"
#include "gvbind/error.h"
#include "gvbind/prepare/character.h"

namespace gvbind {

namespace {

/// Larger than the skeleton by this, nothing is part of the same character at the same scale.
constexpr double another_size = 4.0;

std::vector<std::vector<std::size_t>> split_by_size(const BindableScene& scene,
                                                    const std::vector<std::size_t>& members) {
  struct Sized {
    std::size_t mesh;
    Eigen::AlignedBox3d box;
    double size;
  };
  std::vector<Sized> sorted;
  for (const std::size_t m : members) {
    const Eigen::AlignedBox3d box = shape_box(scene.meshes[m]);
    sorted.push_back({m, box, box.sizes().maxCoeff()});
  }
  std::ranges::stable_sort(sorted, {}, &Sized::size);
  Eigen::AlignedBox3d skeleton, before;
  for (const SceneJoint& joint : scene.joints) skeleton.extend(joint.bind.translation());
  const double reference = skeleton.isEmpty() ? 0.0 : skeleton.sizes().maxCoeff();
  std::vector<std::vector<std::size_t>> volumes(1);
  for (const Sized& mesh : sorted) {
    const double so_far = before.isEmpty() ? 0.0 : before.sizes().maxCoeff();
    if (so_far > 0.0 && mesh.size > another_size * std::max(so_far, reference))
      volumes.emplace_back();
    volumes.back().push_back(mesh.mesh);
    before.extend(mesh.box);
  }
  for (std::vector<std::size_t>& volume : volumes) std::ranges::sort(volume);
  return volumes;
}

SkinWeights rows(const SkinWeights& weights, std::size_t begin, std::size_t end) {
  const std::uint32_t low = weights.first[begin], high = weights.first[end];
  SkinWeights part;
  part.first.clear();
  part.first.reserve(end - begin + 1);
  for (std::size_t v = begin; v <= end; ++v) part.first.push_back(weights.first[v] - low);
  part.joint.assign(weights.joint.begin() + low, weights.joint.begin() + high);
  part.weight.assign(weights.weight.begin() + low, weights.weight.begin() + high);
  return part;
}

void add_statistics(BindStatistics& sum, const BindStatistics& part) {
  if (sum.stages.empty()) {
    sum = part;
    return;
  }
  for (std::size_t i = 0; i < std::min(sum.stages.size(), part.stages.size()); ++i) {
    sum.stages[i].seconds += part.stages[i].seconds;
    sum.stages[i].peak_bytes = std::max(sum.stages[i].peak_bytes, part.stages[i].peak_bytes);
  }
  sum.interior_voxels += part.interior_voxels;
  sum.boundary_voxels += part.boundary_voxels;
  sum.ambiguous_voxels += part.ambiguous_voxels;
  sum.ambiguous_interior += part.ambiguous_interior;
  sum.sparse_voxels += part.sparse_voxels;
  sum.unreached_vertices += part.unreached_vertices;
  add_rule_use(sum.rules, part.rules);
  for (std::size_t j = 0; j < part.joint_vertices.size(); ++j)
    sum.joint_vertices[j] += part.joint_vertices[j];
}

void keep_report(BindResult& result, SceneBinding& binding) {
  add_statistics(binding.statistics, result.statistics);
  for (Finding& finding : result.findings) binding.findings.push_back(std::move(finding));
}

void report_alone(const BindableScene& scene, const std::vector<std::size_t>& members,
                  Findings& findings) {
  for (const std::size_t m : members)
    findings.push_back({Severity::warning, "volume-alone",
                        "mesh '" + scene.meshes[m].name +
                            "' is many times as large as the skeleton and the other meshes: it is "
                            "bound in a solid of its own size",
                        scene.meshes[m].name});
}

/// Assigned triangles are left out of the solid: they would carry distances to meshes they touch.
bool is_given(const SceneMesh& mesh, const Triangle& t) {
  return is_given(mesh, t[0]) && is_given(mesh, t[1]) && is_given(mesh, t[2]);
}

bool is_all_given(const SceneMesh& mesh) {
  return !mesh.assigned_joint.empty() && std::ranges::count(mesh.assigned_joint, -1) == 0;
}

bool any_given(const BindableScene& scene) {
  return std::ranges::any_of(scene.meshes, [](const SceneMesh& mesh) {
    return mesh.selected && !mesh.assigned_joint.empty();
  });
}

SkinWeights with_given_rows(const SceneMesh& mesh, const SkinWeights& weighed) {
  SkinWeights rows;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (!is_given(mesh, v)) {
      rows.append_row(weighed, v);
      continue;
    }
    rows.joint.push_back(static_cast<std::uint32_t>(mesh.assigned_joint[v]));
    rows.weight.push_back(1.0f);
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

/// Throws Error(cannot_bind) that names the changed input.
void require_source(const CachedSolid& solid, const MeshView& mesh,
                    const std::vector<Joint>& joints, const BindRules& rules) {
  const CacheKey& kept = solid.source;
  const CacheKey now = field_source(mesh, joints, rules);
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::cannot_bind,
                what + ": distances have to be computed again; bind with --save-distances");
  };
  if (kept.skeleton != now.skeleton && !same_skeleton(solid.joints, joints))
    refuse(
        "joints, or the choice of joints that may own weight, are not those of the file of "
        "distances");
  if (kept.mesh != now.mesh)
    refuse("meshes, or what rules give away of them, are not those of the file of distances");
  if (kept.rules != now.rules)
    refuse("edits, or volumes where joints begin, are not those of the file of distances");
}

/// Arguments for one solid.
struct SolidBind {
  const BindOptions& options;
  const Monitor& monitor;
  Character* character = nullptr;     ///< of that solid; null: to be prepared
  CachedSolid* keep = nullptr;        ///< gets its distances
  const CachedSolid* kept = nullptr;  ///< its distances
};

BindResult bind_solid(const MeshView& mesh, const std::vector<Joint>& joints,
                      const SolidBind& how) {
  if (how.kept) {
    require_source(*how.kept, mesh, joints, how.options.rules);
    return bind_kept(how.kept->kept, joints, how.options, how.monitor);
  }
  if (!how.keep)
    return how.character
               ? bind_character(std::move(*how.character), joints, how.options, how.monitor)
               : bind_skin(mesh, joints, how.options, how.monitor);
  how.keep->source = field_source(mesh, joints, how.options.rules);
  how.keep->joints = joints;
  how.keep->mesh_starts = how.options.mesh_starts;
  CachedDistances& kept = how.keep->kept;
  return how.character
             ? bind_and_keep(std::move(*how.character), joints, how.options, how.monitor, kept)
             : bind_and_keep(mesh, joints, how.options, how.monitor, kept);
}

/// Binds the meshes named as one solid and stores their weights.
void bind_volume(const BindableScene& scene, const std::vector<std::size_t>& members,
                 const std::vector<Joint>& joints, const SolidBind& how, SceneBinding& binding) {
  if (members.size() == 1 && scene.meshes[members[0]].assigned_joint.empty()) {
    const SceneMesh& mesh = scene.meshes[members[0]];
    BindResult result = bind_solid({mesh.positions, mesh.triangles}, joints, how);
    keep_report(result, binding);
    binding.weights.meshes[members[0]] = std::move(result.weights);
    return;
  }
  const MeshGroup joined = join_meshes(scene, members);
  BindOptions options = how.options;
  for (std::size_t i = 1; i < members.size(); ++i)
    options.mesh_starts.push_back(static_cast<std::uint32_t>(joined.start[i]));
  const SolidBind grouped = {options, how.monitor, how.character, how.keep, how.kept};
  BindResult result = bind_solid({joined.positions, joined.triangles}, joints, grouped);
  keep_report(result, binding);
  for (std::size_t i = 0; i < members.size(); ++i)
    binding.weights.meshes[members[i]] = rows(result.weights, joined.start[i], joined.start[i + 1]);
}

}  // namespace

void apply_assignments(const BindableScene& scene, SceneBinding& binding) {
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected || mesh.assigned_joint.empty()) continue;
    binding.weights.meshes[m] = with_given_rows(mesh, binding.weights.meshes[m]);
    std::erase_if(binding.findings, [&](const Finding& finding) {
      return finding.code == "joint-without-vertices" &&
             std::ranges::any_of(mesh.assigned_joint, [&](int joint) {
               return joint >= 0 && scene.joints[joint].name == finding.pointer;
             });
    });
  }
}

std::vector<Joint> joint_points(const BindableScene& scene) {
  std::vector<Joint> points;
  points.reserve(scene.joints.size());
  const std::vector<int> parents = chain_parents(scene.joints);
  const std::vector<Eigen::Vector3d> along = bone_directions(scene.joints, parents);
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const SceneJoint& joint = scene.joints[j];
    points.push_back({joint.bind.translation(), parents[j], joint.deforms, joint.name, along[j]});
  }
  return points;
}

std::vector<std::vector<std::size_t>> group_meshes(const BindableScene& scene, Volume volume) {
  std::vector<std::vector<std::size_t>> volumes;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected || mesh.positions.empty() || is_all_given(mesh)) continue;
    if (volumes.empty() || volume == Volume::per_mesh) volumes.emplace_back();
    volumes.back().push_back(m);
  }
  if (volume == Volume::automatic && volumes.size() == 1 && volumes[0].size() > 1)
    return split_by_size(scene, volumes[0]);
  return volumes;
}

bool is_separate(Volume volume, std::size_t index) {
  return volume == Volume::automatic && index > 0;
}

std::vector<Joint> joints_of_volume(const BindableScene& scene, Volume volume, std::size_t index,
                                    const std::vector<std::size_t>& members) {
  std::vector<Joint> joints = joint_points(scene);
  if (!is_separate(volume, index)) return joints;
  std::vector<bool> listed(joints.size(), false);
  for (const std::size_t m : members) {
    if (scene.meshes[m].skin_joints.empty()) return joints;
    for (const int joint : scene.meshes[m].skin_joints) listed[joint] = joints[joint].deforms;
  }
  if (std::ranges::count(listed, true) == 0) return joints;
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].deforms = listed[j];
  return joints;
}

MeshGroup join_meshes(const BindableScene& scene, const std::vector<std::size_t>& members) {
  MeshGroup joined;
  for (const std::size_t m : members) {
    const SceneMesh& mesh = scene.meshes[m];
    const auto base = static_cast<std::uint32_t>(joined.positions.size());
    joined.positions.insert(joined.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const Triangle& t : mesh.triangles)
      if (!is_given(mesh, t)) joined.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    joined.start.push_back(joined.positions.size());
  }
  return joined;
}

SceneResolution resolution_of(const BindableScene& scene, const BindOptions& options, Volume volume,
                              const ResolutionOptions& limits) {
  require_joint_count(scene.joints.size());
  SceneResolution finest;
  const std::vector<std::vector<std::size_t>> volumes = group_meshes(scene, volume);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::vector<Joint> joints = joints_of_volume(scene, volume, i, volumes[i]);
    const SceneMesh& first = scene.meshes[volumes[i][0]];
    const bool is_single = volumes[i].size() == 1 && first.assigned_joint.empty();
    const MeshGroup joined = is_single ? MeshGroup() : join_meshes(scene, volumes[i]);
    const MeshView mesh = is_single ? MeshView{first.positions, first.triangles}
                                    : MeshView{joined.positions, joined.triangles};
    finest.characters.push_back(prepare_character(mesh, joints, character_options(options)));
    const FeatureSizes features = feature_sizes(finest.characters.back());
    const int resolution = resolution_for(features, limits);
    if (resolution <= finest.resolution) continue;
    finest.resolution = resolution;
    finest.why = features_text(features, joints);
  }
  if (volumes.empty() && any_given(scene)) return {limits.least, "rules give away all parts", {}};
  if (finest.resolution == 0) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  return finest;
}

SceneBinding bind_scene(const BindableScene& scene, const BindOptions& options, Volume volume,
                        const Monitor& monitor, std::span<Character> characters,
                        const FieldUse& field) {
  const std::vector<std::vector<std::size_t>> volumes = group_meshes(scene, volume);
  if (volumes.empty() && !any_given(scene)) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  if (field.kept && field.kept->solids.size() != volumes.size())
    throw Error(ErrorKind::cannot_bind, "its meshes make " +
                                            counted(volumes.size(), "solid", "solids") +
                                            ", and the file of distances holds " +
                                            std::to_string(field.kept->solids.size()) +
                                            "; bind again with --save-distances");

  SceneBinding binding;
  if (volumes.empty()) binding.statistics.device = "none";
  binding.weights.meshes.resize(scene.meshes.size());
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Monitor part{[&](const char* stage, double done) {
                         if (monitor.progress)
                           monitor.progress(stage, (static_cast<double>(i) + done) /
                                                       static_cast<double>(volumes.size()));
                       },
                       monitor.stop};
    if (is_separate(volume, i)) report_alone(scene, volumes[i], binding.findings);
    const SolidBind how{options, part, characters.empty() ? nullptr : &characters[i],
                        field.keep ? &field.keep->emplace_back() : nullptr,
                        field.kept ? &field.kept->solids[i] : nullptr};
    bind_volume(scene, volumes[i], joints_of_volume(scene, volume, i, volumes[i]), how, binding);
  }
  report_unused_rules(options.rules, binding.statistics.rules, binding.findings);
  apply_assignments(scene, binding);
  return binding;
}

}  // namespace gvbind
