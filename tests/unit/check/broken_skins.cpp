#include "check/broken_skins.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "check/skeleton_geometry.h"

namespace gvbind::test {

namespace {

using Random = std::mt19937_64;
using Row = std::vector<std::pair<std::uint32_t, float>>;
using Joints = std::vector<std::uint32_t>;

// Distributions and shuffles of std differ between libraries; these do not.
std::size_t below(Random& random, std::size_t count) { return random() % count; }

template <class Values>
void mix(Values& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[below(random, i)]);
}

Joints identity(std::size_t count) {
  Joints joints(count);
  std::iota(joints.begin(), joints.end(), 0u);
  return joints;
}

std::vector<Row> rows_of(const SkinWeights& weights) {
  std::vector<Row> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (std::size_t k = weights.first[v]; k < weights.first[v + 1]; ++k)
      rows[v].emplace_back(weights.joint[k], weights.weight[k]);
  return rows;
}

SkinWeights weights_of(const std::vector<Row>& rows) {
  SkinWeights weights;
  for (const Row& row : rows) {
    for (const auto& [joint, weight] : row) {
      weights.joint.push_back(joint);
      weights.weight.push_back(weight);
    }
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  return weights;
}

double size_of(const Scene& scene) {
  Eigen::AlignedBox3d box;
  for (const SceneMesh& mesh : scene.meshes)
    if (!mesh.skin_joints.empty())
      for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  return box.isEmpty() ? 0.0 : box.sizes().norm();
}

/// The weight of a joint.
struct Share {
  double weight = 0.0;                               ///< fraction of all weight
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< center of its weight, bind space
};

/// The weight of each joint, with vertices weighted by area.
std::vector<Share> shares_of(const Scene& scene) {
  std::vector<Share> shares(scene.joints.size());
  double total = 0.0;
  const auto add = [&](const SceneMesh& mesh, std::uint32_t v, double area) {
    for (std::size_t k = mesh.weights.first[v]; k < mesh.weights.first[v + 1]; ++k) {
      Share& share = shares[mesh.weights.joint[k]];
      share.weight += area * mesh.weights.weight[k];
      share.center += area * mesh.weights.weight[k] * mesh.positions[v];
      total += area * mesh.weights.weight[k];
    }
  };
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.skin_joints.empty()) continue;
    for (const Triangle& t : mesh.triangles) {
      const Eigen::Vector3d& a = mesh.positions[t[0]];
      const double area = (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a).norm();
      for (const std::uint32_t v : t) add(mesh, v, area);
    }
  }
  for (Share& share : shares) {
    if (share.weight > 0.0) share.center /= share.weight;
    if (total > 0.0) share.weight /= total;
  }
  return shares;
}

void give_weights(Scene& scene, const Joints& to) {
  for (SceneMesh& mesh : scene.meshes)
    for (std::uint32_t& joint : mesh.weights.joint) joint = to[joint];
}

/// Selects the 2 % of a mesh nearest to a random vertex.
bool make_hole(Scene& scene, Random& random, bool keep_rows) {
  std::vector<SceneMesh*> skinned;
  for (SceneMesh& mesh : scene.meshes)
    if (!mesh.skin_joints.empty() && !mesh.weights.empty()) skinned.push_back(&mesh);
  if (skinned.empty()) return false;
  SceneMesh& mesh = *skinned[below(random, skinned.size())];
  std::vector<Row> rows = rows_of(mesh.weights);
  const Eigen::Vector3d center = mesh.positions[below(random, rows.size())];
  std::vector<std::uint32_t> order = identity(rows.size());
  std::ranges::sort(order, {},
                    [&](std::uint32_t v) { return (mesh.positions[v] - center).norm(); });
  order.resize(1 + order.size() / 50);
  for (const std::uint32_t v : order) {
    if (!keep_rows) rows[v].clear();
    for (auto& [joint, weight] : rows[v]) weight = 0.0f;
  }
  mesh.weights = weights_of(rows);
  return true;
}

bool shuffle_rows(Scene& scene, Random& random, std::size_t one_in) {
  for (SceneMesh& mesh : scene.meshes) {
    if (mesh.skin_joints.empty()) continue;
    std::vector<Row> rows = rows_of(mesh.weights), taken;
    std::vector<std::size_t> places;
    for (std::size_t v = 0; v < rows.size(); ++v)
      if (below(random, one_in) == 0) places.push_back(v), taken.push_back(rows[v]);
    mix(taken, random);
    for (std::size_t i = 0; i < places.size(); ++i) rows[places[i]] = std::move(taken[i]);
    mesh.weights = weights_of(rows);
  }
  return true;
}

/// Each joint's mirror partner, if there is one within a hundredth of the size; otherwise the joint
/// itself.
Joints mirror_images(const Scene& scene, int axis, double size) {
  std::vector<double> along;
  for (const SceneJoint& joint : scene.joints) along.push_back(joint.bind.translation()[axis]);
  std::ranges::sort(along);
  const double middle = along[along.size() / 2];
  Joints image = identity(scene.joints.size());
  for (std::uint32_t a = 0; a < image.size(); ++a) {
    Eigen::Vector3d mirrored = scene.joints[a].bind.translation();
    mirrored[axis] = 2.0 * middle - mirrored[axis];
    if (image[a] != a || mirrored[axis] - middle > -0.01 * size) continue;
    double nearest = 0.01 * size;
    std::uint32_t other = a;
    for (std::uint32_t b = 0; b < image.size(); ++b) {
      const double distance = (scene.joints[b].bind.translation() - mirrored).norm();
      if (b != a && image[b] == b && distance < nearest) nearest = distance, other = b;
    }
    image[a] = other, image[other] = a;
  }
  return image;
}

bool swap_sides(Scene& scene) {
  const std::vector<Share> shares = shares_of(scene);
  Joints best;
  double most = 0.05;
  for (int axis = 0; axis < 3; ++axis) {
    const Joints image = mirror_images(scene, axis, size_of(scene));
    double moved = 0.0;
    for (std::uint32_t j = 0; j < image.size(); ++j)
      if (image[j] != j) moved += shares[j].weight;
    if (moved > most) most = moved, best = image;
  }
  if (best.empty()) return false;
  give_weights(scene, best);
  return true;
}

std::vector<bool> at_or_below(const Scene& scene, std::uint32_t joint) {
  std::vector<bool> in(scene.joints.size(), false);
  in[joint] = true;
  for (std::size_t j = joint + 1; j < in.size(); ++j)
    in[j] = scene.joints[j].parent >= 0 && in[static_cast<std::size_t>(scene.joints[j].parent)];
  return in;
}

bool misplace_limb(Scene& scene, Random& random) {
  const std::vector<Share> shares = shares_of(scene);
  const check::SkeletonGeometry skeleton(scene.joints);
  const double size = size_of(scene);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> choices;  // limb, joint that gets it
  for (std::uint32_t limb = 0; limb < shares.size(); ++limb) {
    const std::vector<bool> in = at_or_below(scene, limb);
    Share whole;
    for (std::size_t j = limb; j < in.size(); ++j)
      if (in[j])
        whole.weight += shares[j].weight, whole.center += shares[j].weight * shares[j].center;
    if (whole.weight < 0.02 || whole.weight > 0.3) continue;
    whole.center /= whole.weight;
    for (std::uint32_t j = 0; j < shares.size(); ++j)
      if (!in[j] && shares[j].weight > 0.002 && skeleton.to_bones(j, whole.center) > 0.2 * size)
        choices.emplace_back(limb, j);
  }
  if (choices.empty()) return false;
  const auto [limb, joint] = choices[below(random, choices.size())];
  const std::vector<bool> in = at_or_below(scene, limb);
  Joints to = identity(shares.size());
  for (std::size_t j = 0; j < to.size(); ++j)
    if (in[j]) to[j] = joint;
  give_weights(scene, to);
  return true;
}

bool permute_joints(Scene& scene, Random* random) {
  const std::vector<Share> shares = shares_of(scene);
  Joints weighted, to = identity(shares.size());
  for (std::uint32_t j = 0; j < shares.size(); ++j)
    if (shares[j].weight > 0.0) weighted.push_back(j);
  if (weighted.size() < 3) return false;
  Joints others = weighted;
  if (random != nullptr)
    mix(others, *random);
  else
    std::rotate(others.begin(), others.begin() + 1, others.end());
  for (std::size_t i = 0; i < weighted.size(); ++i) to[weighted[i]] = others[i];
  give_weights(scene, to);
  return true;
}

bool break_skin(Scene& scene, Fault fault, Random& random) {
  switch (fault) {
    case Fault::holes:
      return make_hole(scene, random, false);
    case Fault::zeroed:
      return make_hole(scene, random, true);
    case Fault::shuffled:
      return shuffle_rows(scene, random, 1);
    case Fault::partly_shuffled:
      return shuffle_rows(scene, random, 10);
    case Fault::swapped_sides:
      return swap_sides(scene);
    case Fault::wrong_limb:
      return misplace_limb(scene, random);
    case Fault::permuted_joints:
      return permute_joints(scene, &random);
    case Fault::shifted_joints:
      return permute_joints(scene, nullptr);
  }
  return false;
}

}  // namespace

const char* name_of(Fault fault) {
  constexpr const char* names[] = {"holes",           "zeroed",        "shuffled",
                                   "partly shuffled", "swapped sides", "wrong limb",
                                   "permuted joints", "shifted joints"};
  return names[static_cast<std::size_t>(fault)];
}

std::optional<Scene> broken(Scene scene, Fault fault, std::uint64_t seed) {
  Random random(seed);
  if (!break_skin(scene, fault, random)) return std::nullopt;
  return scene;
}

}  // namespace gvbind::test
