#include "formats/gltf/skin_findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "formats/gltf/mesh.h"
#include "formats/gltf/nodes.h"
#include "gvbind/base/utf8.h"

namespace gvbind {
namespace gltf {
namespace {

constexpr std::size_t lane_count = 4;

/// Vertices of one mesh that have each fault.
struct RowFaults {
  std::size_t twice = 0, out_of_range = 0;
};

/// One vertex: its joints and weights by lane, over all sets.
void count_row(std::span<const double> joints, std::span<const double> weights, std::size_t slots,
               RowFaults& faults) {
  bool twice = false, outside = false;
  for (std::size_t a = 0; a < joints.size(); ++a) {
    outside = outside || (weights[a] == 0.0 && !(joints[a] < static_cast<double>(slots)));
    for (std::size_t b = 0; b < a && weights[a] != 0.0; ++b)
      twice = twice || (weights[b] != 0.0 && joints[a] == joints[b]);
  }
  faults.twice += twice;
  faults.out_of_range += outside;
}

RowFaults row_faults(const GltfDocument& document, std::size_t mesh, std::size_t slots) {
  RowFaults faults;
  const MeshData data = read_mesh(document, mesh);
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  std::vector<bool> seen(data.layout.blocks.size(), false);
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    const auto block = data.layout.blocks_of_primitives[p];
    if (!block || seen[*block]) continue;
    seen[*block] = true;
    const std::vector<WeightSet> sets = weight_sets(document, primitives[p], data.draco[p]);
    std::size_t count = data.layout.blocks[*block].count;
    for (const WeightSet& set : sets)
      count = std::min({count, set.joints.count(), set.weights.count()});
    std::vector<double> joints(sets.size() * lane_count), weights(joints.size());
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t s = 0; s < sets.size(); ++s) {
        sets[s].joints.read(v, v + 1, joints.data() + s * lane_count);
        sets[s].weights.read(v, v + 1, weights.data() + s * lane_count);
      }
      count_row(joints, weights, slots, faults);
    }
  }
  return faults;
}

/// The numbers n of the attributes "JOINTS_n".
std::set<std::string> numbers_of(const Json& attributes, const std::string& kind) {
  std::set<std::string> numbers;
  for (const auto& [name, value] : attributes.items())
    if (name.starts_with(kind)) numbers.insert(name.substr(kind.size()));
  return numbers;
}

/// "JOINTS_1" where WEIGHTS_1 is missing, or the reverse; empty if all have partners.
std::string uneven_attribute(const Json& attributes) {
  const std::set<std::string> joints = numbers_of(attributes, "JOINTS_"),
                              weights = numbers_of(attributes, "WEIGHTS_");
  for (const std::string& n : joints)
    if (!weights.contains(n)) return "JOINTS_" + n + " without WEIGHTS_" + n;
  for (const std::string& n : weights)
    if (!joints.contains(n)) return "WEIGHTS_" + n + " without JOINTS_" + n;
  return {};
}

bool has_float_joints(const Json& root, const Json& attributes) {
  for (const auto& [name, accessor] : attributes.items())
    if (name.starts_with("JOINTS_") &&
        accessor_shape(root, accessor.get<std::size_t>()).component == ComponentType::f32)
      return true;
  return false;
}

void add_attribute_findings(const Json& root, std::size_t mesh, Findings& findings) {
  const std::string name = name_of(root["meshes"][mesh], "mesh", mesh);
  std::string uneven;
  bool floats = false;
  for (const Json& primitive : root["meshes"][mesh]["primitives"]) {
    if (uneven.empty()) uneven = uneven_attribute(primitive["attributes"]);
    floats = floats || has_float_joints(root, primitive["attributes"]);
  }
  if (!uneven.empty())
    findings.push_back({Severity::error, "joint-sets-uneven",
                        "mesh " + in_quotes(name) + " has " + uneven + ", which does nothing",
                        name});
  if (floats)
    findings.push_back(
        {Severity::error, "joints-as-floats",
         "mesh " + in_quotes(name) + " has JOINTS_n of floats, where glTF has 8 or 16 bit integers",
         name});
}

void add_row_findings(const GltfDocument& document, std::size_t mesh, std::size_t slots,
                      Findings& findings) {
  const std::string name = name_of(document.json["meshes"][mesh], "mesh", mesh);
  const RowFaults faults = row_faults(document, mesh, slots);
  if (faults.twice > 0)
    findings.push_back({Severity::warning, "joint-twice",
                        "mesh " + in_quotes(name) + ": " +
                            counted(faults.twice, "vertex has", "vertices have") +
                            " weight for the same joint twice",
                        name});
  if (faults.out_of_range > 0)
    findings.push_back({Severity::warning, "joint-out-of-range",
                        "mesh " + in_quotes(name) + ": " +
                            counted(faults.out_of_range, "vertex names", "vertices name") +
                            " joints that the skin of " + counted(slots, "joint", "joints") +
                            " does not have, with weight 0",
                        name});
}

void add_bind_findings(const GltfDocument& document, std::size_t index, Findings& findings) {
  constexpr double rounding = 1e-4;
  const Json& skin = document.json["skins"][index];
  const Json* matrices = find(skin, "inverseBindMatrices");
  if (!matrices) return;
  const AccessorValues values = read_accessor(document, matrices->get<std::size_t>(), 16);
  std::size_t count = 0, first = 0;
  for (std::size_t i = std::min(values.count, skin["joints"].size()); i-- > 0;) {
    const auto row = values.row(i);
    const double off =
        std::max({std::abs(row[3]), std::abs(row[7]), std::abs(row[11]), std::abs(row[15] - 1.0)});
    if (off <= rounding) continue;
    ++count;
    first = i;
  }
  if (count == 0) return;
  const auto node = skin["joints"][first].get<std::size_t>();
  const std::string name = name_of(skin, "skin", index);
  findings.push_back({Severity::error, "bind-last-row",
                      counted(count, "inverse bind matrix", "inverse bind matrices") + " of " +
                          in_quotes(name) + " have a last row other than 0 0 0 1 (" +
                          in_quotes(name_of(document.json["nodes"][node], "node", node)) + ")",
                      name});
}

void add_skeleton_findings(const Json& root, std::size_t index, const NodeTree& tree,
                           Findings& findings) {
  const Json& skin = root["skins"][index];
  const Json* skeleton = find(skin, "skeleton");
  if (!skeleton) return;
  const auto top = skeleton->get<std::size_t>();
  std::size_t outside = 0, example = 0;
  for (const Json& joint : skin["joints"]) {
    auto n = joint.get<std::size_t>();
    while (n != no_node && n != top) n = tree.parent[n];
    if (n == top) continue;
    ++outside;
    example = joint.get<std::size_t>();
  }
  if (outside == 0) return;
  const std::string name = name_of(skin, "skin", index);
  findings.push_back({Severity::warning, "skeleton-not-above",
                      "the skeleton root " + in_quotes(name_of(root["nodes"][top], "node", top)) +
                          " of " + in_quotes(name) + " is not above " +
                          counted(outside, "joint", "joints") + " of it (" +
                          in_quotes(name_of(root["nodes"][example], "node", example)) + ")",
                      name});
}

/// Joints that have a bind matrix, but no extent in the pose of the nodes.
void add_scale_findings(const Json& root, std::size_t index, const NodeTree& tree,
                        Findings& findings) {
  const Json& skin = root["skins"][index];
  if (!find(skin, "inverseBindMatrices")) return;
  std::size_t count = 0, first = no_node;
  for (const Json& joint : skin["joints"]) {
    const auto node = joint.get<std::size_t>();
    if (is_regular(tree.world[node])) continue;
    ++count;
    if (first == no_node) first = node;
  }
  if (count == 0) return;
  const std::string name = name_of(skin, "skin", index);
  findings.push_back({Severity::note, "joint-scaled-to-zero",
                      counted(count, "joint", "joints") + " of " + in_quotes(name) +
                          " have a scale of zero in the pose of the nodes (" +
                          in_quotes(name_of(root["nodes"][first], "node", first)) + ")",
                      name});
}

/// Joints, and nodes above them.
std::vector<bool> moving_joints(const Json& root, const NodeTree& tree) {
  std::vector<bool> moves(tree.parent.size(), false);
  for (const Json& skin : list(root, "skins"))
    for (const Json& joint : skin["joints"])
      for (auto n = joint.get<std::size_t>(); n != no_node && !moves[n]; n = tree.parent[n])
        moves[n] = true;
  return moves;
}

void add_node_findings(const Json& root, const NodeTree& tree, Findings& findings) {
  const std::vector<bool> moves = moving_joints(root, tree);
  for (std::size_t n = 0; n < moves.size(); ++n) {
    const Json* r = moves[n] ? find(root["nodes"][n], "rotation") : nullptr;
    if (!r) continue;
    double squared = 0.0;
    for (const Json& value : *r) squared += value.get<double>() * value.get<double>();
    if (squared > 0.0) continue;
    const std::string name = name_of(root["nodes"][n], "node", n);
    findings.push_back(
        {Severity::error, "rotation-zero",
         "joint " + in_quotes(name) + " has a rotation of length 0, which is read as none", name});
  }
}

Findings faults_of_skins(const GltfDocument& document) {
  const Json& root = document.json;
  const NodeTree tree = node_tree(root);
  Findings findings;
  std::set<std::size_t> skins;
  std::map<std::size_t, std::size_t> slots_of;  // by mesh, the smallest of its skins
  for (const Json& node : list(root, "nodes")) {
    const Json *mesh = find(node, "mesh"), *skin = find(node, "skin");
    if (!mesh || !skin) continue;
    const auto m = mesh->get<std::size_t>(), s = skin->get<std::size_t>();
    skins.insert(s);
    const std::size_t slots = root["skins"][s]["joints"].size();
    const auto [at, is_new] = slots_of.emplace(m, slots);
    if (!is_new) at->second = std::min(at->second, slots);
  }
  for (const auto& [mesh, slots] : slots_of) {
    add_attribute_findings(root, mesh, findings);
    add_row_findings(document, mesh, slots, findings);
  }
  for (const std::size_t skin : skins) {
    add_bind_findings(document, skin, findings);
    add_skeleton_findings(root, skin, tree, findings);
    add_scale_findings(root, skin, tree, findings);
  }
  if (!skins.empty()) add_node_findings(root, tree, findings);
  return findings;
}

}  // namespace
}  // namespace gltf

Findings skin_findings(const GltfDocument& document) {
  return gltf::with_path(document.path, [&] { return gltf::faults_of_skins(document); });
}

}  // namespace gvbind
