#include "character/pose_scene.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace gvbind {
namespace {

Eigen::Quaterniond rotation_at(const double* values) {
  return Eigen::Quaterniond(Eigen::Map<const Eigen::Vector4d>(values)).normalized();
}

std::vector<double> value_at(const Channel& channel, double seconds) {
  const std::size_t columns = channel.columns();
  const auto after = std::ranges::upper_bound(channel.times, seconds);
  const auto next = static_cast<std::size_t>(after - channel.times.begin());
  const auto row = [&](std::size_t key) { return channel.values.data() + key * columns; };
  const auto key_values = [&](std::size_t key) {
    return std::vector<double>(row(key), row(key) + columns);
  };
  if (next == 0) return key_values(0);
  if (next == channel.times.size() || channel.step) return key_values(next - 1);
  const double x = (seconds - channel.times[next - 1]) /
                   std::max(channel.times[next] - channel.times[next - 1], 1e-12);
  if (channel.path == Channel::Path::rotation) {
    const Eigen::Quaterniond turn = rotation_at(row(next - 1)).slerp(x, rotation_at(row(next)));
    return {turn.coeffs().begin(), turn.coeffs().end()};
  }
  std::vector<double> out = key_values(next - 1);
  for (std::size_t c = 0; c < columns; ++c) out[c] += x * (row(next)[c] - out[c]);
  return out;
}

void take_value(const Channel& channel, double seconds, ScenePose& pose) {
  const auto node = static_cast<std::size_t>(channel.node);
  std::vector<double> value = value_at(channel, seconds);
  switch (channel.path) {
    case Channel::Path::translation:
      pose.locals[node].translation = Eigen::Map<const Eigen::Vector3d>(value.data());
      return;
    case Channel::Path::rotation:
      pose.locals[node].rotation = rotation_at(value.data());
      return;
    case Channel::Path::scale:
      pose.locals[node].scale = Eigen::Map<const Eigen::Vector3d>(value.data());
      return;
    case Channel::Path::weights:
      break;
  }
  value.resize(pose.morph_weights[node].size(), 0.0);
  pose.morph_weights[node] = std::move(value);
}

Eigen::Vector3d morphed(const Mesh& mesh, const std::vector<double>& weights, std::uint32_t v) {
  Eigen::Vector3d out = mesh.positions[v].cast<double>();
  for (std::size_t m = 0; m < mesh.morphs.size() && m < weights.size(); ++m)
    if (weights[m] != 0.0) out += weights[m] * mesh.morphs[m].positions[v].cast<double>();
  return out;
}

}  // namespace

PlayedScene played_scene(NodeScene scene) {
  const auto held = std::make_shared<NodeScene>(std::move(scene));
  PlayedScene out;
  out.scene = *held;
  for (const Clip& clip : held->clips) out.clip_names.push_back(clip.name);
  out.pose = [held](std::size_t clip, double seconds) {
    return pose_scene(*held, held->clips[clip], seconds);
  };
  return out;
}

ScenePose rest_pose(const NodeScene& scene) {
  ScenePose out;
  for (const Node& node : scene.nodes) {
    out.locals.push_back(node.local);
    out.morph_weights.push_back(node.morph_weights);
  }
  return out;
}

ScenePose pose_scene(const NodeScene& scene, const Clip& clip, double seconds) {
  ScenePose out = rest_pose(scene);
  std::set<std::pair<int, Channel::Path>> moved;
  for (const Channel& channel : clip.channels)
    if (!channel.times.empty() && moved.emplace(channel.node, channel.path).second)
      take_value(channel, seconds, out);
  return out;
}

std::vector<double> clip_moments(const Clip& clip) {
  std::vector<double> times;
  for (const Channel& channel : clip.channels)
    times.insert(times.end(), channel.times.begin(), channel.times.end());
  if (times.empty()) return {};
  std::ranges::sort(times);
  constexpr double after_end = 0.01;  // seconds: a last step is not missed by rounding
  const double begin = times.front(), end = times.back();
  // The widest gap near the middle: rounding of a key's time cannot change the value there.
  const double middle = 0.5 * (begin + end);
  double best = middle, widest = 0.0;
  const double reach = std::max(0.05 * (end - begin), 0.0);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const double gap = times[k + 1] - times[k], between = 0.5 * (times[k] + times[k + 1]);
    const bool near = times[k + 1] >= middle - reach && times[k] <= middle + reach;
    if (near && gap > widest + 1e-6) {
      widest = gap;
      best = between;
    }
  }
  return {begin, best, end + after_end};
}

std::vector<Eigen::Affine3d> world_matrices(const NodeScene& scene, const ScenePose& pose) {
  std::vector<Eigen::Affine3d> world;
  world.reserve(scene.nodes.size());
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const Eigen::Affine3d local = matrix_of(pose.locals[i]);
    const int parent = scene.nodes[i].parent;
    world.push_back(parent < 0 ? local : world[parent] * local);
  }
  return world;
}

std::vector<Eigen::Vector3d> posed_vertices(const NodeScene& scene, const ScenePose& pose,
                                            const std::vector<Eigen::Affine3d>& world,
                                            std::size_t node,
                                            std::span<const std::uint32_t> vertices) {
  const Node& shown = scene.nodes[node];
  const Mesh& mesh = scene.meshes[shown.mesh];
  const bool skinned = shown.skin >= 0 && mesh.weights.vertex_count() == mesh.positions.size();
  std::vector<Eigen::Affine3d> slots;
  if (skinned) {
    const Skin& skin = scene.skins[shown.skin];
    for (std::size_t j = 0; j < skin.joints.size(); ++j)
      slots.push_back(world[skin.joints[j]] * skin.inverse_binds[j]);
  }
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  std::vector<Eigen::Vector3d> out;
  out.reserve(vertices.size());
  for (const std::uint32_t v : vertices) {
    const Eigen::Vector3d own = morphed(mesh, pose.morph_weights[node], v);
    if (!skinned) {
      out.emplace_back(world[node] * own);
      continue;
    }
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double weights = 0.0;
    for (const Influence entry : mesh.weights.row(v)) {
      if (entry.joint >= slots.size()) continue;
      sum += static_cast<double>(entry.weight) * (slots[entry.joint] * own);
      weights += static_cast<double>(entry.weight);
    }
    out.emplace_back(weights > 0.0 ? Eigen::Vector3d(sum / weights)
                                   : Eigen::Vector3d::Constant(nowhere));
  }
  return out;
}

}  // namespace gvbind
