#include "bind/existing_weights.h"

#include <algorithm>
#include <string>

namespace gvbind {
namespace {

bool has_row(const SkinWeights& weights, std::size_t vertex) {
  return vertex < weights.vertex_count() && weights.first[vertex] != weights.first[vertex + 1];
}

std::string count_of(std::size_t count, const char* thing, const char* things) {
  return std::to_string(count) + " " + (count == 1 ? thing : things);
}

MeshWeights keep(const SceneMesh& mesh, Findings& findings) {
  if (mesh.damaged_weights > 0) {
    findings.push_back({Severity::warning, "existing-damaged",
                        "mesh '" + mesh.name +
                            "': " + count_of(mesh.damaged_weights, "weight is", "weights are") +
                            " damaged, so it is bound anew; --existing fill keeps the sound ones",
                        mesh.name});
    return MeshWeights::replaced;
  }
  std::size_t without = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) without += !has_row(mesh.weights, v);
  if (without > 0)
    findings.push_back({Severity::warning, "kept-without-weight",
                        "mesh '" + mesh.name + "' keeps its weights, but " +
                            count_of(without, "vertex has", "vertices have") +
                            " none; --existing fill gives them some",
                        mesh.name});
  return MeshWeights::kept;
}

MeshWeights fill(const SceneMesh& mesh, std::size_t& filled_vertices, Findings& findings) {
  const std::vector<bool> usable = usable_vertices(mesh);
  const auto without = static_cast<std::size_t>(std::ranges::count(usable, false));
  if (!mesh.damaged_vertices.empty())
    findings.push_back({Severity::warning, "existing-damaged",
                        "mesh '" + mesh.name + "': the weights of " +
                            count_of(mesh.damaged_vertices.size(), "vertex are", "vertices are") +
                            " damaged and count as none",
                        mesh.name});
  if (without == usable.size()) return MeshWeights::replaced;
  if (without == 0 && mesh.damaged_weights == 0) return MeshWeights::kept;
  filled_vertices += without;
  return MeshWeights::filled;
}

void append_row(const SkinWeights& from, std::size_t vertex, SkinWeights& to) {
  double sum = 0.0;
  for (std::uint32_t i = from.first[vertex]; i < from.first[vertex + 1]; ++i)
    sum += static_cast<double>(from.weight[i]);
  for (std::uint32_t i = from.first[vertex]; i < from.first[vertex + 1]; ++i) {
    to.joint.push_back(from.joint[i]);
    to.weight.push_back(static_cast<float>(static_cast<double>(from.weight[i]) / sum));
  }
}

void end_row(SkinWeights& rows) {
  rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
}

/// Old rows where they are usable, else new ones.
SkinWeights joined_rows(const SceneMesh& mesh, const SkinWeights& fresh) {
  const std::vector<bool> usable = usable_vertices(mesh);
  SkinWeights rows;
  for (std::size_t v = 0; v < usable.size(); ++v) {
    if (usable[v])
      append_row(mesh.weights, v, rows);
    else if (has_row(fresh, v))
      append_row(fresh, v, rows);
    end_row(rows);
  }
  return rows;
}

/// New rows where the old ones are not usable, else none.
SkinWeights filling_rows(const SceneMesh& mesh, const SkinWeights& fresh) {
  const std::vector<bool> usable = usable_vertices(mesh);
  SkinWeights rows;
  for (std::size_t v = 0; v < usable.size(); ++v) {
    if (!usable[v]) append_row(fresh, v, rows);
    end_row(rows);
  }
  return rows;
}

}  // namespace

std::vector<bool> usable_vertices(const SceneMesh& mesh) {
  std::vector<bool> usable(mesh.positions.size(), false);
  for (std::size_t v = 0; v < usable.size(); ++v) usable[v] = has_row(mesh.weights, v);
  for (const std::uint32_t v : mesh.damaged_vertices) usable[v] = false;
  return usable;
}

bool ExistingPlan::has(MeshWeights fate) const { return std::ranges::count(meshes, fate) > 0; }

bool ExistingPlan::binds(const Scene& scene) const {
  for (std::size_t m = 0; m < meshes.size(); ++m)
    if (scene.meshes[m].selected && !scene.meshes[m].positions.empty() &&
        meshes[m] != MeshWeights::kept)
      return true;
  return false;
}

ExistingPlan plan_existing(const Scene& scene, Existing existing, Findings& findings) {
  ExistingPlan plan;
  for (const SceneMesh& mesh : scene.meshes) {
    const bool had = mesh.selected && !mesh.weights.joint.empty();
    if (!had)
      plan.meshes.push_back(MeshWeights::none);
    else if (existing == Existing::replace)
      plan.meshes.push_back(MeshWeights::replaced);
    else if (existing == Existing::keep)
      plan.meshes.push_back(keep(mesh, findings));
    else
      plan.meshes.push_back(fill(mesh, plan.filled_vertices, findings));
  }
  return plan;
}

void apply_existing(const Scene& scene, const ExistingPlan& plan, bool built,
                    SceneWeights& weights) {
  weights.fills.assign(scene.meshes.size(), false);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    SkinWeights& rows = weights.meshes[m];
    if (plan.meshes[m] == MeshWeights::kept) rows = built ? joined_rows(mesh, {}) : SkinWeights();
    if (plan.meshes[m] != MeshWeights::filled) continue;
    rows = built ? joined_rows(mesh, rows) : filling_rows(mesh, rows);
    weights.fills[m] = !built;
  }
}

std::vector<std::size_t> joint_vertices(const Scene& scene, const SceneWeights& weights) {
  std::vector<std::size_t> vertices(scene.joints.size(), 0);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected) continue;
    for (const std::uint32_t joint : weights.meshes[m].joint) ++vertices[joint];
    if (!weights.meshes[m].empty() && !weights.fills_mesh(m)) continue;
    for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v)
      if (!has_row(weights.meshes[m], v))
        for (std::uint32_t i = mesh.weights.first[v]; i < mesh.weights.first[v + 1]; ++i)
          ++vertices[mesh.weights.joint[i]];
  }
  return vertices;
}

const char* name_of(MeshWeights fate) {
  switch (fate) {
    case MeshWeights::replaced:
      return "replaced";
    case MeshWeights::kept:
      return "kept";
    case MeshWeights::filled:
      return "filled";
    default:
      return "none";
  }
}

}  // namespace gvbind
