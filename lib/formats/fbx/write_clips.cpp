// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <cmath>
#include <set>

#include "character/frame_rate.h"
#include "character/reduce_keys.h"
#include "formats/fbx/clip_curves.h"
#include "formats/fbx/euler.h"
#include "formats/fbx/write_target.h"

namespace gvbind {
namespace {

constexpr double rotation_tolerance = 1e-5;  // radians
constexpr double scale_tolerance = 1e-5, weight_tolerance = 1e-5;
constexpr double translation_tolerance = 1e-5;  // relative to the scene's size

void add_weight_curves(FbxTarget& target, std::int64_t layer, const Channel& channel, double rate) {
  const auto& morphs = target.morph_channels[channel.node];
  for (std::size_t m = 0; m < morphs.size() && m < channel.columns(); ++m) {
    const CurveKeys keys = keys_of(target.editor, channel, m, 100.0, rate);
    FbxNode properties =
        make_node("Properties70", {},
                  {property_entry("d|DeformPercent", "Number", "", "A",
                                  {make_number(static_cast<double>(keys.values[0]))})});
    const std::int64_t node = add_curve_node(
        target.editor, {layer, morphs[m], "DeformPercent", "DeformPercent"}, std::move(properties));
    add_curve(target.editor, keys, channel.step, node, "d|DeformPercent");
  }
}

double largest_scale(const NodeScene& scene, int node) {
  return scene.nodes[node].local.scale.cwiseAbs().maxCoeff();
}

/// By node, the nearest ancestor with a scale, or -1: skips the long chains without scale.
std::vector<int> scaled_nodes_above(const NodeScene& scene) {
  std::vector<int> out;
  for (const Node& node : scene.nodes) {
    const bool skips = node.parent >= 0 && largest_scale(scene, node.parent) == 1.0;
    out.push_back(skips ? out[node.parent] : node.parent);
  }
  return out;
}

/// The factor by which ancestors scale a node's translation.
double scale_above(const FbxTarget& target, std::size_t node) {
  double out = 1.0;
  for (int up = target.scaled_above[node]; up >= 0; up = target.scaled_above[up])
    out *= largest_scale(target.scene, up);
  return std::max(out, 1.0);
}

/// By node, the largest error of its translation. Sizes alone say nothing about a scale above in a
/// scene without meshes, nor about one that is close to 1.
std::vector<double> translation_tolerances(const FbxTarget& target) {
  const double size = scene_size(target.scene);
  std::vector<double> out = sizes_below(target.scene);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = translation_tolerance * std::min(out[i], size / scale_above(target, i));
  return out;
}

void add_channel(FbxTarget& target, std::int64_t layer, const Channel& channel,
                 const std::vector<double>& translation_tolerances, double rate) {
  const auto node = static_cast<std::size_t>(channel.node);
  const std::int64_t model = target.models[node];
  switch (channel.path) {
    case Channel::Path::translation:
      return add_vector_curves(target.editor, {layer, model, "T", "Lcl Translation"},
                               reduced_keys(channel, translation_tolerances[node]), fbx_unit, rate);
    case Channel::Path::rotation: {
      const Eigen::Vector3d rest =
          euler_angles(target.scene.nodes[node].local.rotation, Eigen::Vector3d::Zero());
      return add_vector_curves(
          target.editor, {layer, model, "R", "Lcl Rotation"},
          reduced_angles(channel, euler_channel(channel, rest, rotation_tolerance)), 1.0, rate);
    }
    case Channel::Path::scale:
      return add_vector_curves(target.editor, {layer, model, "S", "Lcl Scaling"},
                               reduced_keys(channel, scale_tolerance), 1.0, rate);
    case Channel::Path::weights:
      break;
  }
  add_weight_curves(target, layer, reduced_keys(channel, weight_tolerance), rate);
}

using MovedPath = std::pair<int, Channel::Path>;

/// The properties that any clip animates. Blender keeps a property without a curve at its value
/// from the clip before, so every clip gets a key for each of these.
std::set<MovedPath> moved_paths(const NodeScene& scene) {
  std::set<MovedPath> out;
  for (const Clip& clip : scene.clips)
    for (const Channel& channel : clip.channels)
      if (!channel.times.empty() && channel.path != Channel::Path::weights)
        out.emplace(channel.node, channel.path);
  return out;
}

/// A single key with the node's rest value.
Channel standing_channel(const NodeScene& scene, const MovedPath& moved) {
  const Transform& rest = scene.nodes[moved.first].local;
  Channel out;
  out.node = moved.first;
  out.path = moved.second;
  out.times = {0.0};
  if (out.path == Channel::Path::rotation)
    out.values.assign(rest.rotation.coeffs().begin(), rest.rotation.coeffs().end());
  else if (out.path == Channel::Path::translation)
    out.values.assign(rest.translation.begin(), rest.translation.end());
  else
    out.values.assign(rest.scale.begin(), rest.scale.end());
  return out;
}

}  // namespace

double frame_rate_of(const NodeScene& scene) {
  constexpr double nearly_all = 0.99, smooth = 60.0;
  return frame_rate_of(scene.clips, nearly_all).value_or(smooth);
}

void write_fbx_clips(FbxTarget& target, double rate) {
  const std::set<MovedPath> moved_by_any = moved_paths(target.scene);
  target.scaled_above = scaled_nodes_above(target.scene);
  const std::vector<double> tolerances = translation_tolerances(target);
  for (const Clip& clip : target.scene.clips) {
    const std::int64_t layer = add_clip_layer(target.editor, clip, rate);
    std::set<MovedPath> moved;
    for (const Channel& channel : clip.channels)
      if (!channel.times.empty() && moved.emplace(channel.node, channel.path).second)
        add_channel(target, layer, channel, tolerances, rate);
    for (const MovedPath& path : moved_by_any)
      if (!moved.contains(path))
        add_channel(target, layer, standing_channel(target.scene, path), tolerances, rate);
  }
}

}  // namespace gvbind
