#include "vrm/spring_bones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "character/selection.h"
#include "formats/gltf/append_clips.h"
#include "formats/gltf/document.h"
#include "formats/gltf/nodes.h"
#include "formats/gltf/read_scene.h"
#include "gvbind/base/utf8.h"
#include "vrm/spring_values.h"

namespace gvbind::vrm {
namespace {

using gltf::Json;

constexpr const char* extension_name = "VRMC_springBone";

struct KindName {
  HangKind kind;
  const char* name;
};
constexpr std::array<KindName, 5> kind_names = {{{HangKind::hair, "hair"},
                                                 {HangKind::skirt, "skirt or coat"},
                                                 {HangKind::tail, "tail"},
                                                 {HangKind::ear, "ear"},
                                                 {HangKind::other, "other"}}};

/// The document with what springs are made from. Lists are by node of the scene.
struct Hanger {
  GltfDocument& document;
  NodeScene scene;
  retarget::RestSkeleton skeleton;
  retarget::BodyRoles roles;
  JointVertices vertices;

  std::size_t source(int node) const { return static_cast<std::size_t>(scene.nodes[node].source); }
};

Hanger hanger_of(GltfDocument& document) {
  NodeScene scene = read_still(document);
  retarget::RestSkeleton skeleton = retarget::node_pose_skeleton(scene);
  retarget::BodyRoles roles = retarget::body_roles(skeleton, human_bones(document, scene));
  JointVertices vertices = joint_vertices_of(scene);
  return {document, std::move(scene), std::move(skeleton), std::move(roles), std::move(vertices)};
}

/// By node of the document: joints of its springs with the nodes between them, and nodes with a
/// constraint.
std::vector<bool> moved_nodes(const Json& root) {
  const Json& nodes = gltf::list(root, "nodes");
  std::vector<bool> moved(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    moved[i] = gltf::extension(nodes[i], "VRMC_node_constraint") != nullptr;
  const Json* springs = gltf::extension(root, extension_name);
  if (!springs) return moved;
  if (!springs->is_object()) gltf::fail(std::string(extension_name) + " is not an object");
  for (const char* key : {"colliders", "colliderGroups", "springs"})
    if (const Json* list = gltf::find(*springs, key); list && !list->is_array())
      gltf::fail(std::string(extension_name) + ": " + key + " is not a list");
  const gltf::NodeTree tree = gltf::node_tree(root);
  const Json& list = gltf::list(*springs, "springs");
  for (std::size_t s = 0; s < list.size(); ++s) {
    std::size_t before = gltf::no_node;
    for (const Json& joint : gltf::list(list[s], "joints")) {
      const auto node = gltf::index_of(joint, "node", nodes.size(), {"springs", s});
      if (!node) continue;
      for (std::size_t at = *node; at != gltf::no_node && at != before; at = tree.parent[at]) {
        moved[at] = true;
        if (before == gltf::no_node) break;
      }
      before = *node;
    }
  }
  return moved;
}

NodeUse use_of(const Hanger& h) {
  const std::vector<bool> moved = moved_nodes(h.document.json);
  NodeUse use{h.vertices.has_weight, std::vector<bool>(h.skeleton.size(), false)};
  for (std::size_t i = 0; i < h.scene.nodes.size(); ++i)
    if (h.scene.nodes[i].source >= 0) use.is_taken[i] = moved[h.source(static_cast<int>(i))];
  return use;
}

double height_of(const JointVertices& vertices) {
  double low = 1e300, high = -1e300;
  for (const auto& points : vertices.owned)
    for (const Eigen::Vector3d& point : points) {
      low = std::min(low, point.y());
      high = std::max(high, point.y());
    }
  return high > low ? high - low : 1.0;
}

/// Seven digits are what readers keep.
double rounded(double value) { return std::round(value * 1e7) / 1e7; }

Json vector_of(const Eigen::Vector3d& v) {
  return Json::array({rounded(v.x()), rounded(v.y()), rounded(v.z())});
}

Json collider_json(const Hanger& h, const BodyCollider& collider,
                   const std::vector<Eigen::Affine3d>& worlds) {
  const Eigen::Affine3d to_node = worlds[collider.node].inverse();
  Json shape = {{"offset", vector_of(to_node * collider.center)},
                {"radius", rounded(collider.radius)}};
  if (!collider.is_sphere()) shape["tail"] = vector_of(to_node * collider.tail);
  return {{"node", h.source(collider.node)},
          {"shape", {{collider.is_sphere() ? "sphere" : "capsule", std::move(shape)}}}};
}

std::size_t append_tip(const Hanger& h, const Spring& spring,
                       const std::vector<Eigen::Affine3d>& worlds) {
  const int last = spring.joints.back().node;
  Json& nodes = h.document.json["nodes"];
  const std::size_t index = nodes.size();
  nodes.push_back({{"name", h.skeleton.names[last] + "_end"},
                   {"translation", vector_of(worlds[last].inverse() * spring.tip)}});
  gltf::list_to_grow(nodes[h.source(last)], "children").push_back(index);
  return index;
}

bool uses(const Spring& spring, std::size_t collider) {
  return std::ranges::find(spring.colliders, collider) != spring.colliders.end();
}

bool is_used(const std::vector<Spring>& springs, std::size_t collider) {
  return std::ranges::any_of(springs, [&](const Spring& s) { return uses(s, collider); });
}

/// Adds the colliders that springs use, each with a group of its own. Returns the groups, by
/// collider.
std::vector<std::size_t> write_colliders(const Hanger& h, const std::vector<Spring>& springs,
                                         const std::vector<BodyCollider>& colliders,
                                         const std::vector<Eigen::Affine3d>& worlds) {
  std::vector<std::size_t> group_of(colliders.size(), 0);
  Json& extension = h.document.json["extensions"][extension_name];
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    if (!is_used(springs, c)) continue;
    Json& shapes = gltf::list_to_grow(extension, "colliders");
    const std::size_t shape = shapes.size();
    shapes.push_back(collider_json(h, colliders[c], worlds));
    Json& groups = gltf::list_to_grow(extension, "colliderGroups");
    group_of[c] = groups.size();
    groups.push_back({{"name", colliders[c].part}, {"colliders", Json::array({shape})}});
  }
  return group_of;
}

Json spring_json(const Hanger& h, const Spring& spring, const std::vector<std::size_t>& group_of,
                 const std::vector<Eigen::Affine3d>& worlds) {
  Json joints = Json::array();
  for (std::size_t j = 0; j < spring.joints.size(); ++j) {
    const SpringJoint& joint = spring.joints[j];
    Json made = {{"node", h.source(joint.node)}};
    if (j + 1 < spring.joints.size() || spring.needs_tip_node) {
      made["hitRadius"] = rounded(joint.hit_radius);
      made["stiffness"] = rounded(joint.stiffness);
      made["gravityPower"] = rounded(joint.gravity);
      made["gravityDir"] = Json::array({0.0, -1.0, 0.0});
      made["dragForce"] = joint.drag;
    }
    joints.push_back(std::move(made));
  }
  if (spring.needs_tip_node) joints.push_back({{"node", append_tip(h, spring, worlds)}});
  Json out = {{"name", h.skeleton.names[spring.joints.front().node]},
              {"joints", std::move(joints)}};
  if (!spring.colliders.empty()) {
    Json groups = Json::array();
    for (const std::size_t c : spring.colliders) groups.push_back(group_of[c]);
    out["colliderGroups"] = std::move(groups);
  }
  return out;
}

void write_springs(const Hanger& h, const std::vector<Spring>& springs,
                   const std::vector<BodyCollider>& colliders) {
  const std::vector<Eigen::Affine3d> worlds = world_matrices(h.scene);
  Json& root = h.document.json;
  Json& extension = root["extensions"][extension_name];
  if (!extension.contains("specVersion")) extension["specVersion"] = "1.0";
  const std::vector<std::size_t> group_of = write_colliders(h, springs, colliders, worlds);
  Json& list = gltf::list_to_grow(extension, "springs");
  for (const Spring& spring : springs) list.push_back(spring_json(h, spring, group_of, worlds));
  Json& used = gltf::list_to_grow(root, "extensionsUsed");
  if (std::ranges::find(used, extension_name) == used.end()) used.push_back(extension_name);
  h.document.changed = true;
}

std::string summary_of(const std::vector<Spring>& springs,
                       const std::vector<BodyCollider>& colliders) {
  std::size_t joints = 0;
  std::map<HangKind, std::size_t> kinds;
  for (const Spring& spring : springs) {
    joints += spring.joints.size() - (spring.needs_tip_node ? 0 : 1);
    ++kinds[spring.kind];
  }
  std::string text = counted(springs.size(), "spring", "springs") + " of " +
                     counted(joints, "joint", "joints") + " (";
  bool is_first = true;
  for (const auto& [kind, name] : kind_names)
    if (kinds.contains(kind)) {
      text += (is_first ? "" : ", ") + std::string(name) + ": " + std::to_string(kinds[kind]);
      is_first = false;
    }
  text += "); ";
  std::string parts;
  for (std::size_t c = 0; c < colliders.size(); ++c)
    if (is_used(springs, c)) parts += (parts.empty() ? "colliders: " : ", ") + colliders[c].part;
  return text + (parts.empty() ? "no colliders" : parts);
}

/// One finding for each reason, with the names.
void report_still(const Hanger& h, const HangingJoints& hanging, Findings& findings) {
  std::map<std::string, std::vector<std::string>> names;
  for (const StillJoint& joint : hanging.still)
    names[joint.reason].push_back(gltf::in_quotes(h.skeleton.names[joint.node]));
  constexpr std::size_t most_named = 5;
  for (const auto& [reason, list] : names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(list.size(), most_named); ++i)
      text += (i > 0 ? ", " : "") + list[i];
    if (list.size() > most_named)
      text += " and " + std::to_string(list.size() - most_named) + " more";
    findings.push_back({Severity::note, "springs-left-out", text + ": " + reason, ""});
  }
}

void report_none(const std::string& why, Findings& findings) {
  findings.push_back({Severity::warning, "springs-none", "no springs: " + why, ""});
}

bool has_other_form(const GltfDocument& document, Findings& findings) {
  if (!gltf::extension(document.json, "VRM")) return false;
  report_none("the file is a VRM 0, which has springs in another form", findings);
  return true;
}

void write_and_report(const Hanger& h, const std::vector<Spring>& springs,
                      const std::vector<BodyCollider>& colliders, Findings& findings) {
  write_springs(h, springs, colliders);
  findings.push_back({Severity::note, "springs-added", summary_of(springs, colliders), ""});
}

void add(GltfDocument& document, Findings& findings) {
  if (has_other_form(document, findings)) return;
  const Hanger h = hanger_of(document);
  const HangingJoints hanging = hanging_joints(h.skeleton, h.roles, use_of(h));
  report_still(h, hanging, findings);
  const double height = height_of(h.vertices);
  std::vector<Spring> springs;
  for (const HangingChain& chain : hanging.chains)
    if (Spring spring = spring_of(chain, h.skeleton, h.vertices, height); !spring.joints.empty())
      springs.push_back(std::move(spring));
  if (springs.empty()) return report_none("no chain of joints hangs from the body", findings);
  std::vector<BodyCollider> colliders = body_colliders(h.skeleton, h.roles, h.vertices);
  match_colliders(springs, colliders, h.skeleton);
  write_and_report(h, springs, colliders, findings);
}

/// Replaces the values of a spring by those that are given.
void take_values(const GivenSpring& given, Spring& spring) {
  const std::size_t bones = spring.joints.size() - (spring.needs_tip_node ? 0 : 1);
  const auto at = [&](const Range& range, std::size_t j) {
    const double depth = bones > 1 ? static_cast<double>(j) / static_cast<double>(bones - 1) : 0.0;
    return std::lerp(range.first, range.second, std::min(depth, 1.0));
  };
  for (std::size_t j = 0; j < spring.joints.size(); ++j) {
    SpringJoint& joint = spring.joints[j];
    if (given.stiffness) joint.stiffness = at(*given.stiffness, j);
    if (given.gravity) joint.gravity = at(*given.gravity, j);
    if (given.hit_radius) joint.hit_radius = at(*given.hit_radius, j);
    if (given.drag) joint.drag = *given.drag;
  }
}

BodyCollider collider_of(const Hanger& h, const GivenCollider& given,
                         const std::vector<Eigen::Affine3d>& worlds) {
  BodyCollider collider;
  collider.part = given.name;
  collider.node = node_named(h.skeleton, given.joint, given.place);
  const Eigen::Affine3d& world = worlds[static_cast<std::size_t>(collider.node)];
  collider.center = world * given.offset;
  collider.tail = given.tail ? Eigen::Vector3d(world * *given.tail) : collider.center;
  collider.radius = given.radius;
  return collider;
}

/// The colliders that an entry names, by their index. Throws Error(usage) for others.
std::vector<std::size_t> named_colliders(const GivenSpring& given,
                                         const std::vector<BodyCollider>& colliders) {
  std::vector<std::size_t> out;
  std::vector<std::string> known;
  for (const BodyCollider& collider : colliders) known.push_back(collider.part);
  for (const std::string& name : *given.colliders) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw Error(ErrorKind::usage, given.place + ": no collider is called '" + name + "'" +
                                        nearest_name_hint(name, known));
    out.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return out;
}

/// Springs of a user's file with the entry that each comes from.
struct GivenList {
  std::vector<Spring> springs;
  std::vector<const GivenSpring*> entries;
};

GivenList springs_of(const Hanger& h, const GivenSprings& given) {
  GivenList list;
  NodeUse use = use_of(h);
  const double height = height_of(h.vertices);
  for (const GivenSpring& entry : given.springs)
    for (const HangingChain& chain : given_chains(entry, h.skeleton, use)) {
      for (const int node : chain.nodes) use.is_taken[node] = true;
      Spring spring = spring_of(chain, h.skeleton, h.vertices, height);
      if (spring.joints.empty())
        throw Error(ErrorKind::usage, entry.place + ": the chain from '" +
                                          h.skeleton.names[chain.nodes.front()] +
                                          "' has no length, so it cannot swing");
      take_values(entry, spring);
      list.springs.push_back(std::move(spring));
      list.entries.push_back(&entry);
    }
  return list;
}

void add_given(GltfDocument& document, const GivenSprings& given, Findings& findings) {
  if (has_other_form(document, findings)) return;
  const Hanger h = hanger_of(document);
  GivenList list = springs_of(h, given);
  std::vector<BodyCollider> colliders = body_colliders(h.skeleton, h.roles, h.vertices);
  match_colliders(list.springs, colliders, h.skeleton);
  const std::vector<Eigen::Affine3d> worlds = world_matrices(h.scene);
  const std::size_t of_body = colliders.size();
  for (const GivenCollider& one : given.colliders) colliders.push_back(collider_of(h, one, worlds));
  for (std::size_t s = 0; s < list.springs.size(); ++s) {
    std::vector<std::size_t>& used = list.springs[s].colliders;
    if (list.entries[s]->colliders)
      used = named_colliders(*list.entries[s], colliders);
    else
      for (std::size_t c = of_body; c < colliders.size(); ++c) used.push_back(c);
  }
  write_and_report(h, list.springs, colliders, findings);
}

}  // namespace

void add_springs(GltfDocument& document, Findings& findings) {
  gltf::with_path(document.path, [&] { add(document, findings); });
}

void add_springs(GltfDocument& document, const GivenSprings& given, Findings& findings) {
  add_given(document, given, findings);
}

}  // namespace gvbind::vrm
