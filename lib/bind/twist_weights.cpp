#include "bind/twist_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "character/given_vertices.h"

namespace gvbind {

namespace {

/// A TwistLimb in one scene.
struct TwistBone {
  Eigen::Vector3d from, way;
  std::vector<std::uint32_t> stops;  ///< joints along the way, at `places`
  std::vector<double> places;        ///< 0 to 1, ascending
};

std::optional<std::size_t> joint_named(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.joints, name, &SceneJoint::name);
  if (found == scene.joints.end()) return {};
  return static_cast<std::size_t>(found - scene.joints.begin());
}

/// By joint of the scene, its bone; null for all others.
std::vector<std::optional<TwistBone>> bones_of(const std::vector<TwistLimb>& limbs,
                                               const Scene& scene) {
  std::vector<std::optional<TwistBone>> bones(scene.joints.size());
  for (const TwistLimb& limb : limbs) {
    const auto joint = joint_named(scene, limb.joint), end = joint_named(scene, limb.end);
    if (!joint || !end) continue;
    const Eigen::Vector3d from = scene.joints[*joint].bind.translation();
    TwistBone bone{from, scene.joints[*end].bind.translation() - from, {}, {}};
    const auto add = [&](std::size_t stop, double place) {
      bone.stops.push_back(static_cast<std::uint32_t>(stop));
      bone.places.push_back(place);
    };
    if (limb.is_base) add(*joint, 0.0);
    for (std::size_t k = 0; k < limb.twists.size(); ++k)
      if (const auto twist = joint_named(scene, limb.twists[k]))
        add(*twist, static_cast<double>(k + 1) / static_cast<double>(limb.twists.size() + 1));
    if (!limb.is_base) add(*joint, 1.0);
    if (bone.way.squaredNorm() > 0.0) bones[*joint] = std::move(bone);
  }
  return bones;
}

struct LimbShare {
  std::uint32_t joint = 0;
  float weight = 0.0f;
  int limb = -1;  ///< the joint whose weight it is part of; -1: not shared
};

/// Adds the one or two shares of a weight.
void add_shares(const TwistBone& bone, const Eigen::Vector3d& position, const Influence& whole,
                std::vector<LimbShare>& row) {
  const double at = bone.way.dot(position - bone.from) / bone.way.squaredNorm();
  const int limb = static_cast<int>(whole.joint);
  std::size_t next = 0;
  while (next < bone.places.size() && bone.places[next] <= at) ++next;
  if (next == 0 || next == bone.places.size()) {
    row.push_back({bone.stops[next == 0 ? 0 : next - 1], whole.weight, limb});
    return;
  }
  const double before = bone.places[next - 1];
  const auto later =
      static_cast<float>(whole.weight * (at - before) / (bone.places[next] - before));
  if (whole.weight - later > 0.0f)
    row.push_back({bone.stops[next - 1], whole.weight - later, limb});
  if (later > 0.0f) row.push_back({bone.stops[next], later, limb});
}

void drop_smallest(std::vector<LimbShare>& row) {
  const auto smallest = std::ranges::min_element(row, {}, &LimbShare::weight);
  const LimbShare dropped = *smallest;
  row.erase(smallest);
  const auto other = std::ranges::find_if(
      row, [&](const LimbShare& share) { return dropped.limb >= 0 && share.limb == dropped.limb; });
  if (other != row.end()) {
    other->weight += dropped.weight;
    return;
  }
  const float left = 1.0f - dropped.weight;
  if (left > 0.0f)
    for (LimbShare& share : row) share.weight /= left;
}

SkinWeights spread_rows(const std::vector<std::optional<TwistBone>>& bones, const SceneMesh& mesh,
                        int max_influences, const SkinWeights& weights) {
  SkinWeights out;
  std::vector<LimbShare> row;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    if (is_given(mesh, v)) {
      out.append_row(weights, v);
      continue;
    }
    row.clear();
    for (const Influence& whole : weights.row(v))
      if (const std::optional<TwistBone>& bone = bones[whole.joint])
        add_shares(*bone, mesh.positions[v], whole, row);
      else
        row.push_back({whole.joint, whole.weight, -1});
    while (max_influences > 0 && row.size() > static_cast<std::size_t>(max_influences))
      drop_smallest(row);
    std::ranges::sort(row, [](const LimbShare& a, const LimbShare& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
    });
    for (const LimbShare& share : row) {
      out.joint.push_back(share.joint);
      out.weight.push_back(share.weight);
    }
    out.first.push_back(static_cast<std::uint32_t>(out.joint.size()));
  }
  return out;
}

}  // namespace

void detach_twists(const std::vector<TwistLimb>& limbs, std::vector<SceneJoint>& joints) {
  for (const TwistLimb& limb : limbs)
    for (SceneJoint& joint : joints)
      if (std::ranges::find(limb.twists, joint.name) != limb.twists.end()) {
        joint.parent = -1;
        joint.deforms = false;
      }
}

void spread_twist_weights(const std::vector<TwistLimb>& limbs, const Scene& scene,
                          int max_influences, SceneWeights& weights) {
  if (limbs.empty()) return;
  const std::vector<std::optional<TwistBone>> bones = bones_of(limbs, scene);
  for (std::size_t m = 0; m < weights.meshes.size(); ++m)
    if (!weights.meshes[m].empty())
      weights.meshes[m] = spread_rows(bones, scene.meshes[m], max_influences, weights.meshes[m]);
}

}  // namespace gvbind
