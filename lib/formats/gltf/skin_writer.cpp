#include "formats/gltf/skin_writer.h"

#include <algorithm>
#include <cmath>

#include "formats/gltf/append.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/nodes.h"
#include "formats/gltf/skins.h"
#include "gvbind/base/parallel.h"

namespace gvbind::gltf {

namespace {

constexpr std::size_t max_joints = 65536;  // JOINTS_n are at most 16 bits wide

void mark_joints_with_weight(const SkinWeights& weights, std::vector<char>& marked) {
  for (const std::uint32_t joint : weights.joint) marked[joint] = true;
}

std::size_t plan_of(SkinPlans& plans, const GltfDocument& document, const SceneMesh& mesh) {
  const Json* skin = find(document.json["nodes"][mesh.node], "skin");
  for (std::size_t i = 0; i < plans.plans.size(); ++i) {
    const SkinPlan& plan = plans.plans[i];
    if (skin ? plan.existing == skin->get<std::size_t>()
             : !plan.existing && plan.to_bind.matrix() == mesh.to_bind.matrix())
      return i;
  }
  SkinPlan plan;
  plan.to_bind = mesh.to_bind;
  if (skin) {
    plan.existing = skin->get<std::size_t>();
    plan.joints = mesh.skin_joints;
    plan.old_joints = plan.joints.size();
  }
  plans.plans.push_back(std::move(plan));
  return plans.plans.size() - 1;
}

// A joint that the old skin did not bind would pull its vertices to the place of its unusable
// matrix.
std::vector<bool> slots_to_renew(const SkinPlan& plan, const std::vector<SkinData>& skins,
                                 const std::vector<char>& needed) {
  std::vector<bool> renewed(plan.old_joints, false);
  for (std::size_t slot = 0; slot < plan.old_joints; ++slot)
    renewed[slot] = skins[*plan.existing].unset[slot] && needed[plan.joints[slot]] != 0;
  return renewed;
}

void add_joints_to(SkinPlan& plan, const Scene& scene, const std::vector<char>& needed) {
  std::vector<bool> there(scene.joints.size(), false), keeps_matrix = there;
  for (std::size_t slot = 0; slot < plan.joints.size(); ++slot) {
    const auto joint = static_cast<std::size_t>(plan.joints[slot]);
    there[joint] = true;
    keeps_matrix[joint] = !plan.renewed[slot];
  }
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const bool has_weight = needed[j] != 0;
    const bool regular = is_regular(scene.joints[j].bind);
    if (has_weight && !keeps_matrix[j] && !regular)
      throw Error(ErrorKind::cannot_bind, "joint " + in_quotes(scene.joints[j].name) +
                                              " has a scale of zero in its bind pose");
    const bool of_new_skin = !plan.existing && scene.joints[j].deforms && regular;
    if (!there[j] && (has_weight || of_new_skin)) plan.joints.push_back(static_cast<int>(j));
  }
  if (plan.joints.size() > max_joints)
    throw Error(ErrorKind::cannot_bind,
                std::to_string(plan.joints.size()) + " joints are more than a glTF skin can hold");
}

std::size_t node_of(const Scene& scene, int joint) {
  const std::int64_t node = scene.joints[joint].node;
  if (node < 0)
    throw Error(ErrorKind::internal,
                "joint " + in_quotes(scene.joints[joint].name) + " is no node of the document");
  return static_cast<std::size_t>(node);
}

std::size_t append_matrices(GltfDocument& document, const Scene& scene, const SkinPlan& plan) {
  AccessorValues values;
  if (plan.existing) {
    const Json* old = find(document.json["skins"][*plan.existing], "inverseBindMatrices");
    if (old) values = read_accessor(document, old->get<std::size_t>(), 16);
  }
  // In a skin without matrices, each old one is the identity.
  const Eigen::Matrix4d identity = Eigen::Matrix4d::Identity();
  while (values.values.size() < plan.old_joints * 16)
    values.values.insert(values.values.end(), identity.data(), identity.data() + 16);
  values.values.resize(plan.joints.size() * 16);
  for (std::size_t slot = 0; slot < plan.joints.size(); ++slot) {
    if (slot < plan.old_joints && !plan.renewed[slot]) continue;
    const SceneJoint& joint = scene.joints[plan.joints[slot]];
    Eigen::Affine3d inverse = joint.bind.inverse() * plan.to_bind;
    inverse.makeAffine();
    if (!inverse.matrix().cast<float>().allFinite())
      throw Error(ErrorKind::cannot_bind,
                  "joint " + in_quotes(joint.name) +
                      ": its transform has no inverse in single precision, which a skin needs");
    std::copy_n(inverse.matrix().data(), 16,
                values.values.begin() + static_cast<std::ptrdiff_t>(slot * 16));
  }
  AccessorShape shape;
  shape.columns = 16;
  shape.count = plan.joints.size();
  return append_values(document, values.values, shape, ViewTarget::none, false);
}

// The specification requires a common root of a skin's joints. If a document has none, an identity
// node is put between its root nodes and the scene, which moves nothing.
void ensure_common_root(Json& root, const Json& joints) {
  const NodeTree tree = node_tree(root);
  std::vector<std::size_t> top_of(tree.parent.size()), tops;
  for (const std::size_t node : tree.order)
    top_of[node] = tree.parent[node] == no_node ? node : top_of[tree.parent[node]];
  std::vector<bool> is_top(tree.parent.size(), false);
  for (const Json& joint : joints) {
    const std::size_t top = top_of[joint.get<std::size_t>()];
    if (!is_top[top]) tops.push_back(top);
    is_top[top] = true;
  }
  if (tops.size() < 2) return;
  const std::size_t wrapper = root["nodes"].size();
  root["nodes"].push_back({{"name", "skeleton root"}, {"children", tops}});
  for (std::size_t s = 0; s < list(root, "scenes").size(); ++s) {
    Json& scene = root["scenes"][s];
    Json kept = Json::array();
    bool wrapped = false;
    for (const Json& node : list(scene, "nodes")) {
      const bool below = is_top[node.get<std::size_t>()];
      if (!below) kept.push_back(node);
      if (below && !wrapped) kept.push_back(wrapper);
      wrapped = wrapped || below;
    }
    if (wrapped) scene["nodes"] = std::move(kept);
  }
}

// "skeleton" must be an ancestor of all joints.
void drop_stale_skeleton(const Json& root, Json& skin) {
  const Json* skeleton = find(skin, "skeleton");
  if (!skeleton) return;
  const NodeTree tree = node_tree(root);
  std::vector<bool> marked(tree.parent.size(), false);
  marked[skeleton->get<std::size_t>()] = true;
  const std::vector<std::size_t> above = nearest_marked(tree, marked);
  for (const Json& joint : skin["joints"])
    if (above[joint.get<std::size_t>()] == no_node) {
      skin.erase("skeleton");
      return;
    }
}

constexpr std::size_t rows_per_block = 8192;  // smaller blocks are not worth a thread

/// Rounds so that the sum of the floats is off by less than half a unit in the last place of the
/// largest.
void write_row(std::span<const float> row, float* out) {
  double sum = 0;
  for (const float w : row) sum += static_cast<double>(w);
  if (!(sum > 0) || !std::isfinite(sum)) return;
  double rest = 1;
  for (std::size_t i = 1; i < row.size(); ++i) {
    out[i] = static_cast<float>(static_cast<double>(row[i]) / sum);
    rest -= static_cast<double>(out[i]);
  }
  out[0] = static_cast<float>(rest);
}

/// The document's weight sets, by block of the mesh's vertices.
struct OldSets {
  MeshLayout layout;
  std::vector<std::vector<WeightSet>> of_block;
  std::size_t max_sets = 0;
};

OldSets old_sets(const GltfDocument& document, std::size_t mesh) {
  OldSets old{mesh_layout(document.json, mesh), {}, 0};
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  for (std::size_t b = 0; b < old.layout.blocks.size(); ++b) {
    const auto& users = old.layout.blocks_of_primitives;
    const Json& primitive = primitives[std::ranges::find(users, b) - users.begin()];
    old.of_block.push_back(weight_sets(document, primitive, decode_draco(document, primitive)));
    old.max_sets = std::max(old.max_sets, old.of_block.back().size());
  }
  return old;
}

/// Adds sets, which stay empty in new rows.
void widen(SkinAttributes& attributes, std::size_t sets) {
  if (sets <= attributes.sets) return;
  const std::size_t vertices = attributes.weights.size() / (attributes.sets * lanes);
  SkinAttributes wide{sets, attributes.joint_type, {}, {}};
  wide.joints.assign(vertices * sets * lanes, 0);
  wide.weights.assign(vertices * sets * lanes, 0.0f);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t from = v * attributes.sets * lanes, to = v * sets * lanes;
    std::copy_n(attributes.joints.begin() + static_cast<std::ptrdiff_t>(from),
                attributes.sets * lanes, wide.joints.begin() + static_cast<std::ptrdiff_t>(to));
    std::copy_n(attributes.weights.begin() + static_cast<std::ptrdiff_t>(from),
                attributes.sets * lanes, wide.weights.begin() + static_cast<std::ptrdiff_t>(to));
  }
  attributes = std::move(wide);
}

}  // namespace

SkinPlans plan_skins(const GltfDocument& document, const Scene& scene,
                     const SceneWeights& weights) {
  SkinPlans plans;
  plans.plan_of_mesh.resize(scene.meshes.size());
  std::vector<std::vector<char>> needed;
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    if (weights.meshes[i].empty()) continue;
    const std::size_t plan = plan_of(plans, document, scene.meshes[i]);
    plans.plan_of_mesh[i] = plan;
    needed.resize(plans.plans.size(), std::vector<char>(scene.joints.size(), false));
    mark_joints_with_weight(weights.meshes[i], needed[plan]);
  }
  const std::vector<SkinData> skins = read_skins(document, node_tree(document.json));
  for (std::size_t i = 0; i < plans.plans.size(); ++i) {
    plans.plans[i].renewed = slots_to_renew(plans.plans[i], skins, needed[i]);
    add_joints_to(plans.plans[i], scene, needed[i]);
  }
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    if (!weights.meshes[i].empty()) continue;
    const Json& node = document.json["nodes"][scene.meshes[i].node];
    const Json* skin = find(node, "skin");
    for (SkinPlan& plan : plans.plans)
      plan.shared = plan.shared || (skin && plan.existing == skin->get<std::size_t>());
  }
  return plans;
}

void write_skins(GltfDocument& document, const Scene& scene, SkinPlans& plans) {
  for (SkinPlan& plan : plans.plans) {
    if (plan.existing) plan.index = *plan.existing;
    const bool renews = std::ranges::find(plan.renewed, true) != plan.renewed.end();
    if (plan.joints.size() == plan.old_joints && !renews) continue;
    Json joints = Json::array();
    for (const int joint : plan.joints) joints.push_back(node_of(scene, joint));
    const std::size_t matrices = append_matrices(document, scene, plan);
    Json& root = document.json;
    if (!plan.existing || plan.shared) {
      Json& skins = list_to_grow(root, "skins");
      Json skin = plan.existing ? Json(skins[*plan.existing]) : Json::object();
      plan.index = skins.size();
      skins.push_back(std::move(skin));
    }
    Json& skin = root["skins"][plan.index];
    skin["inverseBindMatrices"] = matrices;
    skin["joints"] = joints;
    ensure_common_root(root, joints);
    drop_stale_skeleton(root, root["skins"][plan.index]);
  }
  for (std::size_t i = 0; i < scene.meshes.size(); ++i)
    if (const auto plan = plans.plan_of_mesh[i])
      document.json["nodes"][scene.meshes[i].node]["skin"] = plans.plans[*plan].index;
}

SkinAttributes attributes_of(const SkinWeights& weights, const SkinPlan& plan,
                             std::size_t joint_count) {
  SkinAttributes out;
  std::vector<std::uint16_t> slot_of(joint_count, 0);
  for (std::size_t slot = 0; slot < plan.joints.size(); ++slot)
    slot_of[plan.joints[slot]] = static_cast<std::uint16_t>(slot);
  const std::size_t vertices = weights.vertex_count();
  for (std::size_t v = 0; v < vertices; ++v)
    out.sets = std::max<std::size_t>(out.sets,
                                     (weights.first[v + 1] - weights.first[v] + lanes - 1) / lanes);
  constexpr std::size_t byte_joints = 256;
  if (plan.joints.size() > byte_joints) out.joint_type = ComponentType::u16;
  out.joints.assign(vertices * out.sets * lanes, 0);
  out.weights.assign(vertices * out.sets * lanes, 0.0f);
  parallel_for(vertices, rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t first = weights.first[v], count = weights.first[v + 1] - first;
      const std::size_t at = v * out.sets * lanes;
      write_row({weights.weight.data() + first, count}, out.weights.data() + at);
      // The specification asks for joint 0 in lanes without weight.
      for (std::size_t i = 0; i < count; ++i)
        if (out.weights[at + i] > 0) out.joints[at + i] = slot_of[weights.joint[first + i]];
    }
  });
  return out;
}

void keep_other_rows(const GltfDocument& document, std::size_t mesh, const SkinWeights& weights,
                     SkinAttributes& attributes) {
  const OldSets old = old_sets(document, mesh);
  widen(attributes, old.max_sets);
  for (std::size_t b = 0; b < old.of_block.size(); ++b) {
    const PositionBlock& block = old.layout.blocks[b];
    for (std::size_t set = 0; set < old.of_block[b].size(); ++set)
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t vertex = block.first + i;
        if (weights.first[vertex] != weights.first[vertex + 1]) continue;
        double joints[lanes], row[lanes];
        old.of_block[b][set].joints.read(i, i + 1, joints);
        old.of_block[b][set].weights.read(i, i + 1, row);
        const std::size_t at = (vertex * attributes.sets + set) * lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          attributes.joints[at + lane] = static_cast<std::uint16_t>(joints[lane]);
          attributes.weights[at + lane] = static_cast<float>(row[lane]);
        }
      }
  }
  constexpr std::uint16_t largest_byte = 255;
  if (std::ranges::any_of(attributes.joints, [](std::uint16_t j) { return j > largest_byte; }))
    attributes.joint_type = ComponentType::u16;
}

}  // namespace gvbind::gltf
