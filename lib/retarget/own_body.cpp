#include "retarget/own_body.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "retarget/limb_reach.h"
#include "retarget/shape_roles.h"
#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// A vertex at rest, and the node that it follows most.
struct SkinVertex {
  int node = 0;
  Vector3d at;
};

std::vector<SkinVertex> skin_vertices(const NodeScene& scene, const RestSkeleton& rest) {
  std::vector<Eigen::Affine3d> world;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Eigen::Affine3d local = matrix_of(rest.locals[i]);
    world.push_back(rest.parents[i] < 0 ? local : world[rest.parents[i]] * local);
  }
  std::vector<SkinVertex> out;
  for (const Node& node : scene.nodes) {
    if (node.mesh < 0 || node.skin < 0) continue;
    const Mesh& mesh = scene.meshes[node.mesh];
    const Skin& skin = scene.skins[node.skin];
    const std::size_t rows = std::min(mesh.positions.size(), mesh.weights.first.size() - 1);
    for (std::size_t v = 0; v < rows; ++v) {
      const WeightRow row = mesh.weights.row(v);
      if (row.empty() || row[0].joint >= skin.joints.size()) continue;
      const int joint = skin.joints[row[0].joint];
      if (joint < 0) continue;
      const Vector3d at =
          world[joint] * (skin.inverse_binds[row[0].joint] * mesh.positions[v].cast<double>());
      if (at.allFinite()) out.push_back({joint, at});
    }
  }
  return out;
}

/// By node of the scene: the vertex that follows it most and lies farthest from it, at rest.
std::vector<Vector3d> tips_of(const std::vector<SkinVertex>& vertices, const RestSkeleton& rest) {
  std::vector<Vector3d> tips = rest.world.positions;
  for (const auto& [node, at] : vertices) {
    const Vector3d& from = rest.world.positions[node];
    if ((at - from).squaredNorm() > (tips[node] - from).squaredNorm()) tips[node] = at;
  }
  return tips;
}

/// Whether the end of the body at the tail is broader than high, as a whale's.
bool has_level_tail(const OwnBody& body, const std::vector<SkinVertex>& vertices) {
  const std::vector<int> tail = tail_joints(body);
  if (tail.empty()) return false;
  Vector3d back = body.at(tail.back()) - body.at(body.mover);
  back.y() = 0.0;
  if (!(back.norm() > 0.1 * body.size)) return false;
  back.normalize();
  double first = 1e300, last = -1e300;
  for (const SkinVertex& vertex : vertices) {
    first = std::min(first, back.dot(vertex.at));
    last = std::max(last, back.dot(vertex.at));
  }
  constexpr double end_share = 0.15, broader = 1.2;
  const double from = last - end_share * (last - first);
  const Vector3d across = world_up.cross(back);
  Eigen::AlignedBox2d box;
  for (const SkinVertex& vertex : vertices)
    if (back.dot(vertex.at) >= from)
      box.extend(Eigen::Vector2d(across.dot(vertex.at), vertex.at.y()));
  return !box.isEmpty() && box.sizes().x() > broader * box.sizes().y();
}

void set_axes(OwnBody& body) {
  Vector3d left = Vector3d::Zero();
  for (std::size_t i = 0; i < body.rest.size(); ++i)
    if (body.rest.is_joint[i])
      left += rig::joint_side(body.rest.names[i]) * body.at(static_cast<int>(i));
  left.y() = 0.0;
  if (left.norm() > 0.02 * body.size) {
    body.left = left.normalized();
  } else if (body.kind == BodyKind::hand) {
    Vector3d front = Vector3d::Zero();
    for (const char* finger : {"index", "middle", "ring"})
      for (const int node : nodes_called(body, finger))
        front += body.at(node) - body.at(body.mover);
    front.y() = 0.0;
    if (front.norm() > 0.02 * body.size) body.left = world_up.cross(front).normalized();
  }
  body.front = body.left.cross(world_up);
}

/// Topmost joints of the word's chains.
std::size_t chains_called(const OwnBody& body, std::string_view word) {
  std::size_t count = 0;
  for (const int node : nodes_called(body, word)) {
    const int parent = body.rest.parents[node];
    count += parent < 0 || !body.rest.names[parent].starts_with(word);
  }
  return count;
}

std::optional<BodyKind> kind_of(const OwnBody& body) {
  if (chains_called(body, "leg") >= 6) return BodyKind::spider;
  if (body.roles.is_body()) {
    if (!has_level_trunk(body.rest, body.roles)) return BodyKind::biped;
    return stands_on_hands(body.rest, body.roles) ? BodyKind::quadruped : BodyKind::bird;
  }
  const auto count = [&](const char* word) { return nodes_called(body, word).size(); };
  const bool has_limbs = !body.roles.parts.empty();
  if (!has_limbs && count("tail") >= 2) return BodyKind::fish;
  if (!has_limbs && count("index") >= 2 && count("thumb") >= 2) return BodyKind::hand;
  return {};
}

/// The topmost joint; the hips where there are some.
int mover_of(const OwnBody& body) {
  if (const int hips = body.roles.first("hips"); hips >= 0) return hips;
  for (std::size_t i = 0; i < body.rest.size(); ++i)
    if (body.rest.is_joint[i]) return static_cast<int>(i);
  return 0;
}

/// Columns: the bone, across it, and the axis about which the limb bends.
Matrix3d bone_frame(const Vector3d& bone, const Vector3d& axis) {
  Matrix3d out;
  out << bone, axis.cross(bone), axis;
  return out;
}

/// The part of an axis that is at right angles to a direction, of unit length.
Vector3d square_to(const Vector3d& axis, const Vector3d& direction) {
  Vector3d out = axis - axis.dot(direction) * direction;
  if (!(out.norm() > 1e-9)) out = direction.unitOrthogonal();
  return out.normalized();
}

}  // namespace

std::string_view kind_name(BodyKind kind) {
  switch (kind) {
    case BodyKind::quadruped:
      return "quadruped";
    case BodyKind::bird:
      return "bird";
    case BodyKind::fish:
      return "fish";
    case BodyKind::spider:
      return "spider";
    case BodyKind::hand:
      return "hand";
    case BodyKind::biped:
      break;
  }
  return "biped";
}

std::vector<int> nodes_called(const OwnBody& body, std::string_view word) {
  std::vector<int> out;
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    const std::string& name = body.rest.names[i];
    const bool ends = name.size() == word.size() ||
                      (name.size() > word.size() &&
                       std::isalpha(static_cast<unsigned char>(name[word.size()])) == 0);
    if (body.rest.is_joint[i] && name.starts_with(word) && ends) out.push_back(static_cast<int>(i));
  }
  return out;
}

std::vector<int> tail_joints(const OwnBody& body) {
  std::vector<int> tail;
  for (std::size_t i = 0; i < body.rest.size(); ++i)
    if (body.rest.is_joint[i] && rig::joint_word(body.rest.names[i]) == rig::JointWord::tail)
      tail.push_back(static_cast<int>(i));
  return tail;
}

std::optional<BodyKind> kind_named(std::string_view name) {
  for (const BodyKind kind : {BodyKind::biped, BodyKind::quadruped, BodyKind::bird, BodyKind::fish,
                              BodyKind::spider, BodyKind::hand})
    if (kind_name(kind) == name) return kind;
  return {};
}

OwnBody own_body(const NodeScene& hero, const HumanBones& bones,
                 const std::optional<BodyKind>& kind) {
  RestSkeleton rest = node_pose_skeleton(hero);
  const BodyRoles roles = scene_roles(hero, bones);
  if (auto bound = bind_pose_skeleton(hero)) rest = std::move(*bound);
  const std::vector<SkinVertex> vertices = skin_vertices(hero, rest);
  const std::vector<Vector3d> tips = tips_of(vertices, rest);
  const std::vector<int> order = carried_order(roles.carriers);
  std::vector<int> place(order.size(), -1);
  OwnBody body;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int node = order[k], carrier = roles.carriers[node];
    place[node] = static_cast<int>(k);
    body.rest.names.push_back(rest.names[node]);
    body.rest.is_joint.push_back(rest.is_joint[node]);
    body.rest.parents.push_back(carrier < 0 ? -1 : place[carrier]);
    body.rest.world.positions.push_back(rest.world.positions[node]);
    body.rest.world.rotations.push_back(rest.world.rotations[node]);
    body.tips.push_back(tips[node]);
  }
  body.roles.carriers = body.rest.parents;
  for (const auto& [part, nodes] : roles.parts)
    for (const int node : nodes) body.roles.parts[part].push_back(place[node]);
  Vector3d low = Vector3d::Constant(1e300), high = -low;
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    if (!body.rest.is_joint[i]) continue;
    low = low.cwiseMin(body.at(static_cast<int>(i)));
    high = high.cwiseMax(body.at(static_cast<int>(i)));
  }
  if ((high - low).maxCoeff() > 1e-9) body.size = (high - low).maxCoeff();
  const auto found = kind ? kind : kind_of(body);
  body.is_known = found.has_value();
  body.kind = found.value_or(BodyKind::biped);
  body.mover = mover_of(body);
  set_axes(body);
  body.level_tail = body.kind == BodyKind::fish && has_level_tail(body, vertices);
  return body;
}

PlacedPose place_pose(const OwnBody& body, const OwnPose& pose) {
  PlacedPose out;
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    const int node = static_cast<int>(i), parent = body.rest.parents[i];
    const Quaterniond above = parent < 0 ? Quaterniond::Identity() : out.turns[parent];
    out.turns.push_back((above * pose.turns[i]).normalized());
    Vector3d at = body.at(node);
    if (parent >= 0) at = out.positions[parent] + above * (body.at(node) - body.at(parent));
    if (node == body.mover) at += pose.shift;
    out.positions.push_back(at);
  }
  return out;
}

Quaterniond turn_about(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle * M_PI / 180.0, axis));
}

void set_world_turn(const OwnBody& body, int node, const Quaterniond& turn, OwnPose& pose) {
  const PlacedPose placed = place_pose(body, pose);
  const int parent = body.rest.parents[node];
  const Quaterniond above = parent < 0 ? Quaterniond::Identity() : placed.turns[parent];
  pose.turns[node] = (above.conjugate() * turn).normalized();
}

void bring_end(const OwnBody& body, const OwnLimb& limb, const Vector3d& target, OwnPose& pose) {
  const Vector3d upper = body.at(limb.lower) - body.at(limb.upper),
                 lower = limb.end - body.at(limb.lower);
  const double a = upper.norm(), b = lower.norm();
  if (!(a > 1e-9 && b > 1e-9)) return;
  const PlacedPose placed = place_pose(body, pose);
  const int parent = body.rest.parents[limb.upper];
  const Quaterniond above = parent < 0 ? Quaterniond::Identity() : placed.turns[parent];
  const Vector3d way = target - placed.positions[limb.upper];
  if (!(way.norm() > 1e-9)) return;
  constexpr double straight = 0.02;
  Vector3d axis = upper.cross(lower);
  if (axis.norm() < straight * a * b) axis = limb.bend;
  const double reach = reachable_length(a, b, way.norm(), (upper + lower).norm());
  const Vector3d along = way.normalized(), normal = square_to(above * axis, along);
  const double angle =
      std::acos(std::clamp((a * a + reach * reach - b * b) / (2.0 * a * reach), -1.0, 1.0));
  const Vector3d to_lower = Eigen::AngleAxisd(-angle, normal) * along;
  const Vector3d to_end = (reach * along - a * to_lower).normalized();
  const auto turned = [&](const Vector3d& from, const Vector3d& to) {
    const Vector3d rest = from.normalized();
    return Quaterniond(
        Matrix3d(bone_frame(to, normal) * bone_frame(rest, square_to(axis, rest)).transpose()));
  };
  set_world_turn(body, limb.upper, turned(upper, to_lower), pose);
  set_world_turn(body, limb.lower, turned(lower, to_end), pose);
}

NodeScene scene_of_body(const OwnBody& body) {
  NodeScene scene;
  const WorldPose& world = body.rest.world;
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    Node node;
    node.name = body.rest.names[i];
    node.parent = body.rest.parents[i];
    node.is_joint = body.rest.is_joint[i];
    const Quaterniond above =
        node.parent < 0 ? Quaterniond::Identity() : world.rotations[node.parent];
    const Vector3d from = node.parent < 0 ? Vector3d::Zero() : world.positions[node.parent];
    node.local.rotation = (above.conjugate() * world.rotations[i]).normalized();
    node.local.translation = above.conjugate() * (world.positions[i] - from);
    scene.nodes.push_back(std::move(node));
  }
  return scene;
}

}  // namespace gvbind::retarget
