#include <cmath>
#include <map>

#include "formats/fbx/edit.h"
#include "formats/fbx/skeleton.h"
#include "gvbind/base/parallel.h"

namespace gvbind {
namespace {

/// The weights of one joint in a geometry, as a Cluster stores them; both empty if it has none.
struct ClusterWeights {
  std::vector<std::int32_t> vertices;  ///< ascending
  std::vector<double> weights;
  FbxProperty indexes_array, weights_array;  ///< the same values, compressed
};

/// Compression takes most of the time of a patch, and the arrays are independent, so use all
/// threads.
void compress(std::vector<ClusterWeights>& clusters) {
  parallel_each(2 * clusters.size(), [&](std::size_t i) {
    ClusterWeights& cluster = clusters[i / 2];
    if (cluster.vertices.empty()) return;
    if (i % 2 == 0)
      cluster.indexes_array = make_array(cluster.vertices);
    else
      cluster.weights_array = make_array(cluster.weights);
  });
}

/// By joint of the scene.
std::vector<ClusterWeights> weights_by_joint(const SkinWeights& weights, std::size_t joints) {
  std::vector<ClusterWeights> out(joints);
  std::vector<std::size_t> sizes(joints, 0);
  for (const std::uint32_t joint : weights.joint) ++sizes.at(joint);
  for (std::size_t j = 0; j < joints; ++j) {
    out[j].vertices.reserve(sizes[j]);
    out[j].weights.reserve(sizes[j]);
  }
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    for (std::uint32_t k = weights.first[v]; k < weights.first[v + 1]; ++k) {
      ClusterWeights& cluster = out[weights.joint[k]];
      cluster.vertices.push_back(static_cast<std::int32_t>(v));
      cluster.weights.push_back(static_cast<double>(weights.weight[k]));
    }
  compress(out);
  return out;
}

bool can_invert(const Eigen::Affine3d& matrix) {
  const double size = matrix.linear().cwiseAbs().maxCoeff();
  return std::abs(matrix.linear().determinant()) > 1e-12 * size * size * size;
}

struct SkinPatch {
  FbxDocument& document;
  const Scene& scene;
  FbxObjects objects;
  FbxBinding binding;
  FbxEditor editor;
  std::unordered_set<std::int64_t> patched_geometries;

  void set_weights(FbxNode& cluster, const ClusterWeights* weights) {
    if (!weights || weights->vertices.empty()) {
      remove_child(document, cluster, "Indexes");
      remove_child(document, cluster, "Weights");
      return;
    }
    set_child(document, cluster, "Indexes", weights->indexes_array, {"Version", "UserData"});
    set_child(document, cluster, "Weights", weights->weights_array, {"Indexes"});
  }

  /// Replaces the entries of vertices that get new weights. Other entries keep their order and
  /// bits. A cluster with no entry to add or replace is left as it is.
  void fill_weights(FbxNode& cluster, const ClusterWeights* added,
                    const std::vector<bool>& is_filled) {
    ClusterWeights merged;
    const FbxNode* indexes = find_child(cluster, "Indexes");
    const FbxNode* weights = find_child(cluster, "Weights");
    std::size_t old_count = 0;
    if (indexes && weights) {
      const std::vector<std::int32_t> vertices = integers_of(*indexes);
      const std::vector<double> values = doubles_of(*weights);
      old_count = std::max(vertices.size(), values.size());
      for (std::size_t i = 0; i < std::min(vertices.size(), values.size()); ++i) {
        const auto vertex = static_cast<std::size_t>(vertices[i]);
        if (vertices[i] < 0 || vertex >= is_filled.size() || is_filled[vertex]) continue;
        merged.vertices.push_back(vertices[i]);
        merged.weights.push_back(values[i]);
      }
    }
    const bool adds = added && !added->vertices.empty();
    if (!adds && merged.vertices.size() == old_count) return;
    if (adds) {
      merged.vertices.insert(merged.vertices.end(), added->vertices.begin(), added->vertices.end());
      merged.weights.insert(merged.weights.end(), added->weights.begin(), added->weights.end());
    }
    std::vector<ClusterWeights> alone{std::move(merged)};
    compress(alone);
    set_weights(cluster, &alone.front());
  }

  /// Rewrites every old cluster, so that none keeps old weights: clusters without a joint or with a
  /// repeated one end up empty. With `is_filled`, the weights of other vertices stay. Returns the
  /// joints that have a cluster.
  std::unordered_set<std::int64_t> replace_weights(
      std::int64_t geometry, const std::vector<const ClusterWeights*>& by_joint,
      const std::vector<bool>& is_filled) {
    std::unordered_set<std::int64_t> linked;
    for (const std::int64_t skin : skins_of_geometry(objects, geometry))
      for (const FbxObject* cluster : objects.children_of(skin, "Deformer", "Cluster")) {
        const auto joints = objects.children_of(cluster->id, "Model");
        const ClusterWeights* weights = nullptr;
        if (!joints.empty() && linked.insert(joints[0]->id).second)
          weights = by_joint[binding.joint_of.at(joints[0]->id)];
        if (is_filled.empty())
          set_weights(editor.object(cluster->index), weights);
        else
          fill_weights(editor.object(cluster->index), weights, is_filled);
      }
    return linked;
  }

  void add_cluster(const SceneJoint& joint, std::int64_t skin, const Eigen::Affine3d& mesh_bind,
                   const ClusterWeights& weights) {
    const Eigen::Affine3d mesh_in_joint = joint.bind.inverse(Eigen::Affine) * mesh_bind;
    if (!mesh_in_joint.matrix().allFinite())
      throw Error(ErrorKind::cannot_bind,
                  "joint '" + joint.name + "': its bind pose leaves double precision");
    std::vector<FbxNode> children;
    children.push_back(make_node("Version", {make_integer(100)}));
    children.push_back(make_node("UserData", {make_text(""), make_text("")}));
    if (!weights.vertices.empty()) {
      children.push_back(make_node("Indexes", {weights.indexes_array}));
      children.push_back(make_node("Weights", {weights.weights_array}));
    }
    children.push_back(make_node("Transform", {make_array(matrix_values(mesh_in_joint))}));
    children.push_back(make_node("TransformLink", {make_array(matrix_values(joint.bind))}));
    const std::int64_t id = editor.new_id();
    editor.add_object("Deformer", id, joint.name, "SubDeformer", "Cluster", std::move(children));
    editor.connect(id, skin);
    editor.connect(joint.node, id);
  }

  std::int64_t add_skin(const SceneMesh& mesh, std::int64_t geometry) {
    const std::int64_t id = editor.new_id();
    editor.add_object("Deformer", id, mesh.name, "Deformer", "Skin",
                      {make_node("Version", {make_integer(101)}),
                       make_node("Link_DeformAcuracy", {make_number(50.0)})});
    editor.connect(id, geometry);
    return id;
  }

  void check(const SceneMesh& mesh, const SkinWeights& weights) const {
    if (weights.vertex_count() != mesh.positions.size())
      throw Error(ErrorKind::internal, "mesh '" + mesh.name + "': weights for " +
                                           std::to_string(weights.vertex_count()) + " of " +
                                           std::to_string(mesh.positions.size()) + " vertices");
    std::vector<char> known(scene.joints.size());
    for (std::size_t j = 0; j < known.size(); ++j)
      known[j] = binding.joint_of.contains(scene.joints[j].node);
    for (const std::uint32_t joint : weights.joint)
      if (joint >= known.size() || !known[joint])
        throw Error(ErrorKind::internal, "mesh '" + mesh.name + "': weight for joint " +
                                             std::to_string(joint) +
                                             ", which the document does not have");
  }

  /// A mesh with an old skin gets clusters only for joints that newly have weight. A new skin links
  /// every joint that may own weight, so that each keeps its bind matrix and its place in the next
  /// bind.
  void patch(const SceneMesh& mesh, const SkinWeights& weights, bool fills) {
    const FbxObject* geometry = objects.mesh_geometry(mesh.node);
    if (!geometry)
      throw Error(ErrorKind::internal, "mesh '" + mesh.name + "' is not in the document");
    if (!patched_geometries.insert(geometry->id).second) return;
    check(mesh, weights);
    const auto by_scene_joint = weights_by_joint(weights, scene.joints.size());
    std::vector<const ClusterWeights*> by_joint(binding.joints.size(), nullptr);
    for (std::size_t j = 0; j < scene.joints.size(); ++j)
      if (const auto known = binding.joint_of.find(scene.joints[j].node);
          known != binding.joint_of.end())
        by_joint[known->second] = &by_scene_joint[j];

    std::vector<bool> is_filled;
    for (std::size_t v = 0; fills && v < weights.vertex_count(); ++v)
      is_filled.push_back(weights.first[v] != weights.first[v + 1]);
    const std::unordered_set<std::int64_t> linked =
        replace_weights(geometry->id, by_joint, is_filled);
    const std::vector<std::int64_t> old_skins = skins_of_geometry(objects, geometry->id);
    const std::int64_t skin = old_skins.empty() ? add_skin(mesh, geometry->id) : old_skins[0];
    const Eigen::Affine3d mesh_bind = model_bind(objects, binding, mesh.node);
    std::vector<std::int64_t> joints;
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
      const SceneJoint& joint = scene.joints[j];
      const bool weighted = !by_scene_joint[j].vertices.empty();
      bool wanted = weighted || (linked.empty() && joint.deforms);
      if (!linked.contains(joint.node) && wanted && !can_invert(joint.bind)) {
        if (weighted)
          throw Error(ErrorKind::cannot_bind,
                      "joint '" + joint.name + "' is scaled to nothing and cannot own weight");
        wanted = false;
      }
      if (wanted && !linked.contains(joint.node))
        add_cluster(joint, skin, mesh_bind, by_scene_joint[j]);
      if (wanted || linked.contains(joint.node)) joints.push_back(joint.node);
    }
    update_bind_pose(document, editor, objects, binding, mesh.node, joints);
  }
};

}  // namespace

void patch_skin(FbxDocument& document, const Scene& scene, const SceneWeights& weights) {
  with_path(document.path, [&] {
    if (weights.meshes.size() != scene.meshes.size())
      throw Error(ErrorKind::internal, "weights for " + std::to_string(weights.meshes.size()) +
                                           " of " + std::to_string(scene.meshes.size()) +
                                           " meshes");
    const FbxObjects objects = objects_of(document);
    Findings already_reported;
    SkinPatch patch{
        document, scene, objects, read_binding(objects, already_reported), FbxEditor(document), {}};
    for (std::size_t m = 0; m < scene.meshes.size(); ++m)
      if (!weights.meshes[m].empty())
        patch.patch(scene.meshes[m], weights.meshes[m], weights.fills_mesh(m));
    if (!patch.patched_geometries.empty()) patch.editor.finish();
  });
}

}  // namespace gvbind
