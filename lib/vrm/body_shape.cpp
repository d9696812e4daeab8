#include "vrm/body_shape.h"

#include <algorithm>
#include <utility>

#include "gvbind/base/segment.h"

namespace gvbind::vrm {
namespace {

using Eigen::Vector3d;

void add_vertices(const Mesh& mesh, const Skin& skin, const std::vector<Eigen::Affine3d>& worlds,
                  JointVertices& out) {
  for (std::size_t v = 0; v < std::min(mesh.positions.size(), mesh.weights.vertex_count()); ++v) {
    Influence most{0, 0.0f};
    for (const Influence& entry : mesh.weights.row(v)) {
      if (entry.joint >= skin.joints.size() || skin.joints[entry.joint] < 0) continue;
      out.has_weight[skin.joints[entry.joint]] = true;
      if (entry.weight > most.weight) most = entry;
    }
    if (most.weight <= 0.0f) continue;
    const int node = skin.joints[most.joint];
    const Vector3d bound = skin.inverse_binds[most.joint] * mesh.positions[v].cast<double>();
    const Vector3d placed = worlds[node] * bound;
    if (placed.allFinite()) out.owned[node].push_back(placed);
  }
}

double median(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, half);
  return *half;
}

constexpr std::size_t least_vertices = 12;

/// A capsule along a part, from the vertices beside it; those beyond its ends say nothing.
void add_capsule(std::vector<BodyCollider>& out, BodyCollider made,
                 const std::vector<Vector3d>& vertices) {
  const Vector3d along = made.tail - made.center;
  std::vector<double> distances;
  for (const Vector3d& point : vertices) {
    const double t = closest_parameter(made.center, along, point);
    if (t > 0.0 && t < 1.0) distances.push_back((made.center + t * along - point).norm());
  }
  if (distances.size() < least_vertices) return;
  made.radius = median(std::move(distances));
  out.push_back(std::move(made));
}

void add_limb(std::vector<BodyCollider>& out, const retarget::RestSkeleton& skeleton,
              const retarget::BodyRoles& roles, const JointVertices& vertices,
              const std::string& part, const std::string& next) {
  const int from = roles.first(part), to = roles.first(next);
  if (from < 0 || to < 0) return;
  const auto& at = skeleton.world.positions;
  add_capsule(out, {part, from, at[from], at[to]}, vertices.owned[from]);
}

void add_head(std::vector<BodyCollider>& out, const retarget::BodyRoles& roles,
              const JointVertices& vertices) {
  const int head = roles.first("head");
  if (head < 0 || vertices.owned[head].size() < least_vertices) return;
  const std::vector<Vector3d>& points = vertices.owned[head];
  Vector3d center;
  for (int axis = 0; axis < 3; ++axis) {
    // The middle of the box without its outermost twentieths: a tuft or a hat is not the head.
    std::vector<double> values;
    for (const Vector3d& point : points) values.push_back(point[axis]);
    std::ranges::sort(values);
    const std::size_t margin = values.size() / 20;
    center[axis] = 0.5 * (values[margin] + values[values.size() - 1 - margin]);
  }
  std::vector<double> distances;
  for (const Vector3d& point : points) distances.push_back((point - center).norm());
  out.push_back({"head", head, center, center, median(std::move(distances))});
}

void add_torso(std::vector<BodyCollider>& out, const retarget::RestSkeleton& skeleton,
               const retarget::BodyRoles& roles, const JointVertices& vertices) {
  const int hips = roles.first("hips"), head = roles.first("head");
  const int above = roles.first("neck") >= 0 ? roles.first("neck") : head;
  if (hips < 0 || above < 0) return;
  const auto spine = roles.parts.find("spine");
  const bool has_spine = spine != roles.parts.end() && !spine->second.empty();
  const auto& at = skeleton.world.positions;
  if (!has_spine) {
    add_capsule(out, {"torso", hips, at[hips], at[above]}, vertices.owned[hips]);
    return;
  }
  // The chest turns against the hips, so each has a capsule of its own.
  const int middle = spine->second[spine->second.size() / 2];
  std::vector<Vector3d> low = vertices.owned[hips], high;
  bool is_above = false;
  for (const int node : spine->second) {
    is_above = is_above || node == middle;
    std::vector<Vector3d>& side = is_above ? high : low;
    side.insert(side.end(), vertices.owned[node].begin(), vertices.owned[node].end());
  }
  add_capsule(out, {"hips", hips, at[hips], at[middle]}, low);
  // The neck is thinner than the chest.
  add_capsule(out, {"chest", middle, at[middle], at[middle] + 0.8 * (at[above] - at[middle])},
              high);
}

}  // namespace

double BodyCollider::distance(const Vector3d& point) const {
  const Vector3d along = tail - center;
  return (center + closest_parameter(center, along, point) * along - point).norm();
}

JointVertices joint_vertices_of(const NodeScene& scene) {
  JointVertices out;
  out.owned.resize(scene.nodes.size());
  out.has_weight.resize(scene.nodes.size(), false);
  const std::vector<Eigen::Affine3d> worlds = world_matrices(scene);
  for (const Node& node : scene.nodes)
    if (node.mesh >= 0 && node.skin >= 0)
      add_vertices(scene.meshes[node.mesh], scene.skins[node.skin], worlds, out);
  return out;
}

std::vector<BodyCollider> body_colliders(const retarget::RestSkeleton& skeleton,
                                         const retarget::BodyRoles& roles,
                                         const JointVertices& vertices) {
  std::vector<BodyCollider> out;
  if (!roles.is_body()) return out;
  add_head(out, roles, vertices);
  add_torso(out, skeleton, roles, vertices);
  for (const std::string side : retarget::body_sides) {
    add_limb(out, skeleton, roles, vertices, "upper_arm" + side, "forearm" + side);
    add_limb(out, skeleton, roles, vertices, "forearm" + side, "hand" + side);
    add_limb(out, skeleton, roles, vertices, "thigh" + side, "shin" + side);
    add_limb(out, skeleton, roles, vertices, "shin" + side, "foot" + side);
  }
  return out;
}

}  // namespace gvbind::vrm
