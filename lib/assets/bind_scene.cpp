#include "assets/bind_scene.h"

#include <algorithm>
#include <utility>

#include "assets/scene_volume.h"
#include "gvbind/character_distances.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

SkinWeights rows(const SkinWeights& weights, std::size_t begin, std::size_t end) {
  const std::uint32_t low = weights.first[begin], high = weights.first[end];
  SkinWeights part;
  part.first.clear();
  part.first.reserve(end - begin + 1);
  for (std::size_t v = begin; v <= end; ++v) part.first.push_back(weights.first[v] - low);
  part.influence.assign(weights.influence.begin() + low, weights.influence.begin() + high);
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
  for (std::size_t j = 0; j < part.joint_vertices.size(); ++j)
    sum.joint_vertices[j] += part.joint_vertices[j];
}

void keep_report(BindResult& result, SceneBinding& binding) {
  add_statistics(binding.statistics, result.statistics);
  for (Finding& finding : result.findings) binding.findings.push_back(std::move(finding));
}

void report_alone(const Scene& scene, const std::vector<std::size_t>& members, Findings& findings) {
  for (const std::size_t m : members)
    findings.push_back({Severity::warning, "volume-alone",
                        "mesh '" + scene.meshes[m].name +
                            "' is many times as large as the skeleton and the other meshes: it is "
                            "bound in a solid of its own size",
                        scene.meshes[m].name});
}

/// Binds the meshes named as one solid and stores their weights. `character`: of that solid, or
/// null.
void bind_volume(const Scene& scene, const std::vector<std::size_t>& members,
                 const std::vector<Joint>& joints, Character* character, const BindOptions& options,
                 const Monitor& monitor, SceneBinding& binding) {
  if (members.size() == 1) {
    const SceneMesh& mesh = scene.meshes[members[0]];
    BindResult result = character
                            ? bind_character(std::move(*character), joints, options, monitor)
                            : bind_skin({mesh.positions, mesh.triangles}, joints, options, monitor);
    keep_report(result, binding);
    binding.weights.meshes[members[0]] = std::move(result.weights);
    return;
  }
  const SceneVolume joined = join_meshes(scene, members);
  BindResult result =
      character ? bind_character(std::move(*character), joints, options, monitor)
                : bind_skin({joined.positions, joined.triangles}, joints, options, monitor);
  keep_report(result, binding);
  for (std::size_t i = 0; i < members.size(); ++i)
    binding.weights.meshes[members[i]] = rows(result.weights, joined.start[i], joined.start[i + 1]);
}

}  // namespace

SceneBinding bind_scene(const Scene& scene, const BindOptions& options, Volume volume,
                        const Monitor& monitor, std::span<Character> characters) {
  const std::vector<std::vector<std::size_t>> volumes = volumes_of(scene, volume);
  if (volumes.empty()) throw Error(ErrorKind::cannot_bind, "no mesh to bind");

  SceneBinding binding;
  binding.weights.meshes.resize(scene.meshes.size());
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Monitor part{[&](const char* stage, double done) {
                         if (monitor.progress)
                           monitor.progress(stage, (static_cast<double>(i) + done) /
                                                       static_cast<double>(volumes.size()));
                       },
                       monitor.stop};
    if (is_alone(volume, i)) report_alone(scene, volumes[i], binding.findings);
    bind_volume(scene, volumes[i], joints_of_volume(scene, volume, i, volumes[i]),
                characters.empty() ? nullptr : &characters[i], options, part, binding);
  }
  return binding;
}

}  // namespace gvbind
