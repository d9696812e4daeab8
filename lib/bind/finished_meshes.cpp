#include "bind/finished_meshes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "gvbind/base/joint_keys.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

namespace {

constexpr std::size_t min_triangles = 20;  // of a mesh that is the same by more than chance
constexpr double sum_tolerance = 0.1;

std::vector<std::string> scene_joint_keys(std::span<const SceneJoint> joints) {
  std::vector<std::string_view> names;
  for (const SceneJoint& joint : joints) names.push_back(joint.name);
  return joint_keys(names);
}

/// By joint of the finished mesh, the scene's joint (`keys`: of the scene's joints); none where one
/// that owns weight has none, or several have its key.
std::optional<std::vector<int>> namesakes(const FinishedMesh& mesh, const BindableScene& scene,
                                          const std::vector<std::string>& keys) {
  constexpr int several = -2;
  std::map<std::string, int> by_key;
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (scene.joints[j].deforms) {
      const auto [at, is_new] = by_key.emplace(keys[j], static_cast<int>(j));
      if (!is_new) at->second = several;
    }
  std::vector<int> joint(mesh.keys.size(), -1);
  for (const std::uint32_t used : mesh.weights.joint) {
    const auto found = by_key.find(mesh.keys[used]);
    if (mesh.keys[used].empty() || found == by_key.end() || found->second == several)
      return std::nullopt;
    joint[used] = found->second;
  }
  return joint;
}

/// The fraction of joints that two skeletons have in common, by their keys.
double common_joints(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string> all(a.begin(), a.end()), others(b.begin(), b.end());
  const auto common = std::ranges::count_if(
      all, [&](const std::string& key) { return !key.empty() && others.contains(key); });
  const auto both = static_cast<double>(all.size() + others.size()) - static_cast<double>(common);
  return both > 0.0 ? static_cast<double>(common) / both : 0.0;
}

/// How far two meshes of as many vertices are apart: the sum of the squared ways between vertices,
/// each mesh about its mean vertex and at size 1.
double shape_distance(const FinishedMesh& finished, const SceneMesh& mesh) {
  const auto normal_form = [](const auto& positions) {
    Eigen::Matrix3Xd points(3, positions.size());
    for (std::size_t v = 0; v < positions.size(); ++v)
      points.col(static_cast<Eigen::Index>(v)) = positions[v].template cast<double>();
    points.colwise() -= points.rowwise().mean().eval();
    const double size = points.norm();
    return size > 0.0 ? Eigen::Matrix3Xd(points / size) : points;
  };
  return (normal_form(finished.positions) - normal_form(mesh.positions)).squaredNorm();
}

/// The finished mesh whose weights a mesh of the scene gets, see take_finished(); null: none.
const FinishedMesh* twin_of(const SceneMesh& mesh, const BindableScene& scene,
                            const std::vector<std::string>& keys,
                            const std::vector<FinishedMesh>& finished) {
  const std::string key = joint_key(mesh.name);
  for (const bool by_name : {true, false}) {
    const auto is_same = [&](std::size_t vertices, const std::vector<Triangle>& triangles,
                             const std::string& other) {
      return vertices == mesh.positions.size() && triangles == mesh.triangles &&
             (!by_name || other == key);
    };
    if (std::ranges::count_if(scene.meshes, [&](const SceneMesh& other) {
          return is_same(other.positions.size(), other.triangles, joint_key(other.name));
        }) != 1)
      continue;
    std::map<std::string, std::size_t> in_file;
    for (const FinishedMesh& other : finished)
      in_file[other.file] += is_same(other.weights.vertex_count(), other.triangles, other.key);
    const FinishedMesh* nearest = nullptr;
    std::pair<double, double> least;  // joints that differ, then shapes
    for (const FinishedMesh& other : finished) {
      if (in_file[other.file] != 1 ||
          !is_same(other.weights.vertex_count(), other.triangles, other.key))
        continue;
      const std::pair distance(1.0 - common_joints(other.keys, keys), shape_distance(other, mesh));
      if (nearest && distance >= least) continue;
      nearest = &other;
      least = distance;
    }
    if (nearest) return nearest;
  }
  return nullptr;
}

/// The row of a vertex for the scene's joints; empty where it is not sound.
std::vector<Influence> row_of(const FinishedMesh& mesh, std::size_t vertex,
                              const std::vector<int>& joint, int max_influences) {
  std::vector<Influence> row;
  double sum = 0.0;
  for (const auto [from, weight] : mesh.weights.row(vertex)) {
    if (weight <= 0.0f) continue;
    const auto to = static_cast<std::uint32_t>(joint[from]);
    // Two joints of the finished mesh may be one here: those of two skeletons, "rig:Head" and
    // "Head".
    const auto known = std::ranges::find(row, to, &Influence::joint);
    if (known == row.end())
      row.push_back({to, weight});
    else
      known->weight += weight;
    sum += weight;
  }
  if (std::abs(sum - 1.0) > sum_tolerance) return {};
  std::ranges::sort(row, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  if (max_influences > 0) row.resize(std::min<std::size_t>(row.size(), max_influences));
  sum = 0.0;
  for (const Influence& influence : row) sum += influence.weight;
  for (Influence& influence : row) influence.weight /= static_cast<float>(sum);
  return row;
}

SkinWeights rows_of(const FinishedMesh& mesh, const std::vector<int>& joint, int max_influences,
                    const SkinWeights& computed) {
  SkinWeights rows;
  for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v) {
    const std::vector<Influence> row = row_of(mesh, v, joint, max_influences);
    if (row.empty()) {
      rows.append_row(computed, v);
      continue;
    }
    for (const Influence& influence : row) {
      rows.joint.push_back(influence.joint);
      rows.weight.push_back(influence.weight);
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

}  // namespace

void add_finished(const std::string& file, const Scene& scene, std::vector<FinishedMesh>& meshes) {
  const std::vector<std::string> keys = scene_joint_keys(scene.joints);
  for (const SceneMesh& mesh : scene.meshes)
    if (mesh.weights.vertex_count() == mesh.positions.size() &&
        mesh.triangles.size() > min_triangles && mesh.damaged_weights == 0)
      meshes.push_back(
          {file, joint_key(mesh.name), mesh.positions, mesh.triangles, mesh.weights, keys});
}

void take_finished(const std::vector<FinishedMesh>& finished, const BindableScene& scene,
                   const BindOptions& options, SceneWeights& weights) {
  if (!options.rules.regions.empty()) return;
  const std::vector<std::string> keys = scene_joint_keys(scene.joints);
  const OwnerBan bans = owner_ban(options.rules.forbidden, scene.joints.size());
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    SkinWeights& computed = weights.meshes[m];
    if (!mesh.selected || !mesh.assigned_joint.empty() ||
        computed.vertex_count() != mesh.positions.size())
      continue;
    const FinishedMesh* const twin = twin_of(mesh, scene, keys, finished);
    const auto joint = twin ? namesakes(*twin, scene, keys) : std::nullopt;
    if (!joint) continue;
    computed = pruned(rows_of(*twin, *joint, options.max_influences, computed), options.prune);
    if (bans) computed = without_banned(computed, bans);
  }
}

}  // namespace gvbind
