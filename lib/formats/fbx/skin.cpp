#include "formats/fbx/skin.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

FbxCluster read_cluster(const FbxObjects& objects, const FbxObject& object, std::int64_t joint) {
  const FbxNode& node = objects.node(object);
  FbxCluster cluster;
  cluster.id = object.id;
  cluster.joint = joint;
  cluster.joint_bind = matrix_of(find_child(node, "TransformLink"));
  cluster.mesh_in_joint = matrix_of(find_child(node, "Transform"));
  return cluster;
}

/// Returns the number of entries left out.
std::size_t read_weights(const FbxNode& node, std::size_t vertex_count, FbxCluster& cluster) {
  const FbxNode* indexes = find_child(node, "Indexes");
  const FbxNode* weights = find_child(node, "Weights");
  if (!indexes || !weights) return 0;
  try {
    cluster.vertices = integers_of(*indexes);
    cluster.weights = doubles_of(*weights);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    cluster.vertices.clear();
    cluster.weights.clear();
    return 1;  // at least; the real number is unknown
  }
  const std::size_t longest = std::max(cluster.vertices.size(), cluster.weights.size());
  const std::size_t count = std::min(cluster.vertices.size(), cluster.weights.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t vertex = cluster.vertices[i];
    const double weight = cluster.weights[i];
    const bool inside = vertex >= 0 && static_cast<std::size_t>(vertex) < vertex_count;
    const bool sound = weight >= 0.0 && weight <= max_weight;
    if (inside && !sound) cluster.damaged.push_back(vertex);
    if (!inside || !sound) continue;
    cluster.vertices[kept] = vertex;
    cluster.weights[kept++] = weight;
  }
  cluster.vertices.resize(kept);
  cluster.weights.resize(kept);
  return longest - kept;
}

constexpr std::size_t grain = 8192;  // smaller tasks are not worth a thread

struct Entry {
  std::uint32_t joint;
  double weight;
};

/// Entries of all clusters by vertex, in the order of the clusters: vertex v has first[v] ..
/// first[v + 1].
struct EntriesByVertex {
  std::vector<std::size_t> first;
  std::vector<Entry> entries;
};

EntriesByVertex entries_by_vertex(const FbxSkin& skin,
                                  const std::unordered_map<std::int64_t, int>& joint_of,
                                  std::size_t vertex_count) {
  EntriesByVertex out;
  std::vector<std::size_t> next(vertex_count + 1, 0);
  for (const FbxCluster& cluster : skin.clusters)
    for (const std::int32_t v : cluster.vertices) ++next[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) next[v + 1] += next[v];
  out.first = next;
  out.entries.resize(next.back());
  for (const FbxCluster& cluster : skin.clusters) {
    const auto joint = static_cast<std::uint32_t>(joint_of.at(cluster.joint));
    for (std::size_t i = 0; i < cluster.vertices.size(); ++i)
      out.entries[next[cluster.vertices[i]]++] = {joint, cluster.weights[i]};
  }
  return out;
}

/// Merges and sorts a row in place; returns the number of entries left.
std::size_t settle(std::span<Entry> row) {
  constexpr std::size_t few = 64;
  const bool sorted = row.size() > few;
  if (sorted) std::ranges::stable_sort(row, {}, &Entry::joint);
  std::size_t kept = 0;
  for (const Entry entry : row) {
    const auto end = row.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto from = sorted && kept > 0 ? end - 1 : row.begin();
    const auto same =
        std::find_if(from, end, [&](const Entry& e) { return e.joint == entry.joint; });
    if (same != end)
      same->weight += entry.weight;
    else
      row[kept++] = entry;
  }
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(kept);
  std::sort(row.begin(), end, [](const Entry& a, const Entry& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  while (kept > 0 && !(static_cast<float>(row[kept - 1].weight) > 0.0f)) --kept;
  return kept;
}

}  // namespace

std::optional<Eigen::Affine3d> matrix_of(const FbxNode* node) {
  if (!node) return std::nullopt;
  std::vector<double> values;
  try {
    // Do not unpack arrays of a different length.
    for (const FbxProperty& property : node->properties)
      if (is_array(property) && property.type != 'a' && array_count(property) != 16)
        return std::nullopt;
    values = doubles_of(*node);
  } catch (const Error&) {
    return std::nullopt;  // a damaged matrix counts as missing
  }
  if (values.size() != 16) return std::nullopt;
  for (const double value : values)
    if (!std::isfinite(value)) return std::nullopt;
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 3; ++row) out.matrix()(row, column) = values[4 * column + row];
  const double size = out.linear().cwiseAbs().maxCoeff();
  if (!(std::abs(out.linear().determinant()) > 1e-12 * size * size * size)) return std::nullopt;
  return out;
}

std::vector<double> matrix_values(const Eigen::Affine3d& matrix) {
  const Eigen::Matrix4d& m = matrix.matrix();
  return {m.data(), m.data() + 16};
}

std::vector<std::int64_t> skins_of_geometry(const FbxObjects& objects, std::int64_t geometry) {
  std::vector<std::int64_t> out;
  for (const FbxObject* skin : objects.children_of(geometry, "Deformer", "Skin"))
    out.push_back(skin->id);
  return out;
}

FbxSkin read_clusters(const FbxObjects& objects, std::int64_t geometry) {
  FbxSkin out;
  out.geometry = geometry;
  for (const std::int64_t skin : skins_of_geometry(objects, geometry)) {
    if (out.deformer == 0) out.deformer = skin;
    for (const FbxObject* cluster : objects.children_of(skin, "Deformer", "Cluster")) {
      const auto joints = objects.children_of(cluster->id, "Model");
      if (!joints.empty()) out.clusters.push_back(read_cluster(objects, *cluster, joints[0]->id));
    }
  }
  return out;
}

FbxSkin read_skin(const FbxObjects& objects, std::int64_t geometry, std::size_t vertex_count,
                  Findings& findings) {
  FbxSkin skin = read_clusters(objects, geometry);
  std::vector<std::size_t> dropped(skin.clusters.size(), 0);
  parallel_each(skin.clusters.size(), [&](std::size_t c) {
    const FbxNode& node = objects.node(*objects.find(skin.clusters[c].id));
    dropped[c] = read_weights(node, vertex_count, skin.clusters[c]);
  });
  for (const std::size_t count : dropped) skin.dropped += count;
  if (skin.dropped > 0) {
    const std::string name = objects.find(geometry)->name;
    findings.push_back(
        {Severity::warning, "weights-damaged",
         "geometry '" + name + "': " + std::to_string(skin.dropped) +
             " old weights are negative, not finite or for vertices that do not exist: left out",
         name});
  }
  return skin;
}

std::unordered_map<std::int64_t, Eigen::Affine3d> read_bind_poses(const FbxObjects& objects) {
  std::unordered_map<std::int64_t, Eigen::Affine3d> out;
  for (const FbxObject& pose : objects.all) {
    if (!objects.is(pose, "Pose") || pose.type != "BindPose") continue;
    for (const FbxNode& entry : objects.node(pose).children) {
      if (entry.name != "PoseNode") continue;
      const FbxNode* node = find_child(entry, "Node");
      if (!node || node->properties.empty()) continue;
      const std::optional<std::int64_t> id = integer_of(node->properties[0]);
      const std::optional<Eigen::Affine3d> matrix = matrix_of(find_child(entry, "Matrix"));
      if (id && matrix) out.emplace(*id, *matrix);
    }
  }
  return out;
}

SkinWeights weight_rows(const FbxSkin& skin, const std::unordered_map<std::int64_t, int>& joint_of,
                        std::size_t vertex_count) {
  EntriesByVertex by_vertex = entries_by_vertex(skin, joint_of, vertex_count);
  SkinWeights out;
  out.first.resize(vertex_count + 1);
  parallel_for(vertex_count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t first = by_vertex.first[v], size = by_vertex.first[v + 1] - first;
      out.first[v + 1] =
          static_cast<std::uint32_t>(settle(std::span(by_vertex.entries).subspan(first, size)));
    }
  });
  for (std::size_t v = 0; v < vertex_count; ++v) out.first[v + 1] += out.first[v];
  out.joint.resize(out.first.back());
  out.weight.resize(out.first.back());
  parallel_for(vertex_count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      for (std::uint32_t k = out.first[v]; k < out.first[v + 1]; ++k) {
        const Entry& entry = by_vertex.entries[by_vertex.first[v] + k - out.first[v]];
        out.joint[k] = entry.joint;
        out.weight[k] = static_cast<float>(entry.weight);
      }
  });
  return out;
}

}  // namespace gvbind
