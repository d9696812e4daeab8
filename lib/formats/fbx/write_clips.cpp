// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "character/reduce_keys.h"
#include "formats/fbx/curve.h"
#include "formats/fbx/euler.h"
#include "formats/fbx/write_target.h"

namespace gvbind {
namespace {

constexpr std::array rates = {30.0, 24.0, 25.0, 60.0, 48.0, 50.0, 100.0, 120.0};
constexpr double on_frame = 1e-3;  // of a frame: the error of a time in single precision
constexpr std::int32_t constant_key = 0x2, linear_key = 0x4;
constexpr double rotation_tolerance = 1e-5, short_way_tolerance = 2e-4;  // radians
constexpr double max_short_way = 2.0;     // radians: well below half a turn
constexpr double angle_tolerance = 5e-4;  // degrees
constexpr double scale_tolerance = 1e-5, weight_tolerance = 1e-5;
constexpr double translation_tolerance = 1e-5;  // relative to the scene's size

bool lies_on_frame(double seconds, double rate) {
  return std::abs(seconds * rate - std::round(seconds * rate)) <= on_frame;
}

std::int64_t ticks_of(double seconds, double rate) {
  if (lies_on_frame(seconds, rate))
    return static_cast<std::int64_t>(std::round(seconds * rate)) *
           static_cast<std::int64_t>(fbx_ticks_per_second / rate);
  return static_cast<std::int64_t>(std::round(seconds * fbx_ticks_per_second));
}

struct CurveKeys {
  std::vector<std::int64_t> times;
  std::vector<float> values;
};

/// One column of a channel, times `factor`; a single key if it is constant.
CurveKeys keys_of(const Channel& channel, std::size_t column, double factor, double rate) {
  CurveKeys out;
  const std::size_t columns = channel.columns();
  for (std::size_t k = 0; k < channel.times.size(); ++k) {
    const std::int64_t time = ticks_of(channel.times[k], rate);
    if (!out.times.empty() && time <= out.times.back()) continue;
    out.times.push_back(time);
    out.values.push_back(static_cast<float>(factor * channel.values[k * columns + column]));
  }
  const bool stands = std::ranges::all_of(out.values, [&](float v) { return v == out.values[0]; });
  if (stands && !out.times.empty()) {
    out.times.erase(out.times.begin() + 1, out.times.end());
    out.values.erase(out.values.begin() + 1, out.values.end());
  }
  return out;
}

void add_curve(FbxTarget& target, const CurveKeys& keys, bool step, std::int64_t curve_node,
               const std::string& component) {
  const std::int64_t id = target.editor.new_id();
  // Two default tangent weights of a third each, packed into one float.
  const std::array<float, 4> attributes = {0.0f, 0.0f, std::bit_cast<float>(0x0d050d05u), 0.0f};
  const std::array<std::int32_t, 1> flags = {step ? constant_key : linear_key};
  const std::array<std::int32_t, 1> count = {static_cast<std::int32_t>(keys.times.size())};
  target.editor.add_object(
      "AnimationCurve", id, "", "AnimCurve", "",
      {make_node("Default", {make_number(static_cast<double>(keys.values[0]))}),
       make_node("KeyVer", {make_integer(4008)}), make_node("KeyTime", {make_array(keys.times)}),
       make_node("KeyValueFloat", {make_array(keys.values)}),
       make_node("KeyAttrFlags", {make_array(flags)}),
       make_node("KeyAttrDataFloat", {make_array(attributes)}),
       make_node("KeyAttrRefCount", {make_array(count)})});
  target.editor.connect_property(id, curve_node, component);
}

/// The object and property that curves animate, and their layer.
struct CurveTarget {
  std::int64_t layer = 0, object = 0;
  const char *name = "", *property = "";
};

std::int64_t add_curve_node(FbxTarget& target, const CurveTarget& to, FbxNode properties) {
  const std::int64_t id = target.editor.new_id();
  target.editor.add_object("AnimationCurveNode", id, to.name, "AnimCurveNode", "",
                           {std::move(properties)});
  target.editor.connect(id, to.layer);
  target.editor.connect_property(id, to.object, to.property);
  return id;
}

void add_vector_curves(FbxTarget& target, const CurveTarget& to, const Channel& channel,
                       double factor, double rate) {
  constexpr std::array<const char*, 3> names = {"d|X", "d|Y", "d|Z"};
  FbxNode properties = make_node("Properties70", {});
  std::array<CurveKeys, 3> keys;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    keys[axis] = keys_of(channel, axis, factor, rate);
    append_child(properties,
                 property_entry(names[axis], "Number", "", "A",
                                {make_number(static_cast<double>(keys[axis].values[0]))}));
  }
  const std::int64_t node = add_curve_node(target, to, std::move(properties));
  for (std::size_t axis = 0; axis < 3; ++axis)
    add_curve(target, keys[axis], channel.step, node, names[axis]);
}

void add_weight_curves(FbxTarget& target, std::int64_t layer, const Channel& channel, double rate) {
  const auto& morphs = target.morph_channels[channel.node];
  for (std::size_t m = 0; m < morphs.size() && m < channel.columns(); ++m) {
    const CurveKeys keys = keys_of(channel, m, 100.0, rate);
    FbxNode properties =
        make_node("Properties70", {},
                  {property_entry("d|DeformPercent", "Number", "", "A",
                                  {make_number(static_cast<double>(keys.values[0]))})});
    const std::int64_t node = add_curve_node(
        target, {layer, morphs[m], "DeformPercent", "DeformPercent"}, std::move(properties));
    add_curve(target, keys, channel.step, node, "d|DeformPercent");
  }
}

Channel reduced(Channel channel, double tolerance) {
  if (!channel.step) reduce_keys(channel, tolerance);
  return channel;
}

double angle_between(const Channel& angles, std::size_t a, std::size_t b) {
  const Eigen::Vector3d from(angles.values.data() + 3 * a), to(angles.values.data() + 3 * b);
  return rotation_of(from).angularDistance(rotation_of(to));
}

/// Keeps the keys that linear interpolation of angles needs, and those needed by programs that
/// interpolate along the shortest rotation.
Channel reduced_angles(const Channel& rotations, const Channel& angles) {
  const Channel straight = reduced(angles, angle_tolerance),
                turned = reduced(rotations, short_way_tolerance);
  std::set<double> kept(straight.times.begin(), straight.times.end());
  kept.insert(turned.times.begin(), turned.times.end());
  Channel out = angles;
  out.times.clear();
  out.values.clear();
  std::size_t last = 0;  // the last key kept
  for (std::size_t k = 0; k < angles.times.size(); ++k) {
    const bool far =
        k + 1 < angles.times.size() && angle_between(angles, last, k + 1) > max_short_way;
    if (!kept.contains(angles.times[k]) && !far) continue;
    last = k;
    out.times.push_back(angles.times[k]);
    out.values.insert(out.values.end(), angles.values.begin() + static_cast<std::ptrdiff_t>(3 * k),
                      angles.values.begin() + static_cast<std::ptrdiff_t>(3 * k + 3));
  }
  return out;
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

void add_channel(FbxTarget& target, std::int64_t layer, const Channel& channel, double size,
                 double rate) {
  const auto node = static_cast<std::size_t>(channel.node);
  const std::int64_t model = target.models[node];
  switch (channel.path) {
    case Channel::Path::translation:
      return add_vector_curves(
          target, {layer, model, "T", "Lcl Translation"},
          reduced(channel, translation_tolerance * size / scale_above(target, node)), fbx_unit,
          rate);
    case Channel::Path::rotation: {
      const Eigen::Vector3d rest =
          euler_angles(target.scene.nodes[node].local.rotation, Eigen::Vector3d::Zero());
      return add_vector_curves(
          target, {layer, model, "R", "Lcl Rotation"},
          reduced_angles(channel, euler_channel(channel, rest, rotation_tolerance)), 1.0, rate);
    }
    case Channel::Path::scale:
      return add_vector_curves(target, {layer, model, "S", "Lcl Scaling"},
                               reduced(channel, scale_tolerance), 1.0, rate);
    case Channel::Path::weights:
      break;
  }
  add_weight_curves(target, layer, reduced(channel, weight_tolerance), rate);
}

FbxNode span_properties(const Clip& clip, double rate) {
  double end = 0.0;
  for (const Channel& channel : clip.channels)
    if (!channel.times.empty()) end = std::max(end, channel.times.back());
  FbxNode out = make_node("Properties70", {});
  for (const auto& [name, seconds] : {std::pair("LocalStart", 0.0),
                                      {"LocalStop", end},
                                      {"ReferenceStart", 0.0},
                                      {"ReferenceStop", end}})
    append_child(out,
                 property_entry(name, "KTime", "Time", "", {make_long(ticks_of(seconds, rate))}));
  return out;
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
  constexpr double most = 0.99, smooth = 60.0;
  std::set<double> times;
  for (const Clip& clip : scene.clips)
    for (const Channel& channel : clip.channels)
      times.insert(channel.times.begin(), channel.times.end());
  for (const double rate : rates) {
    const auto fits =
        std::ranges::count_if(times, [&](double t) { return lies_on_frame(t, rate); });
    if (static_cast<double>(fits) >= most * static_cast<double>(times.size())) return rate;
  }
  return smooth;
}

void write_fbx_clips(FbxTarget& target, double rate) {
  const std::set<MovedPath> moved_by_any = moved_paths(target.scene);
  const double size = scene_size(target.scene);
  target.scaled_above = scaled_nodes_above(target.scene);
  for (const Clip& clip : target.scene.clips) {
    const std::int64_t stack = target.editor.new_id(), layer = target.editor.new_id();
    target.editor.add_object("AnimationStack", stack, clip.name, "AnimStack", "",
                             {span_properties(clip, rate)});
    target.editor.add_object("AnimationLayer", layer, clip.name, "AnimLayer", "",
                             {make_node("Properties70", {}, {number_entry("Weight", 100.0)})});
    target.editor.connect(layer, stack);
    std::set<MovedPath> moved;
    for (const Channel& channel : clip.channels)
      if (!channel.times.empty() && moved.emplace(channel.node, channel.path).second)
        add_channel(target, layer, channel, size, rate);
    for (const MovedPath& path : moved_by_any)
      if (!moved.contains(path))
        add_channel(target, layer, standing_channel(target.scene, path), size, rate);
  }
}

}  // namespace gvbind
