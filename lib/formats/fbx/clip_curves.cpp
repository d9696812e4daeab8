#include "formats/fbx/clip_curves.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "character/frame_rate.h"
#include "character/reduce_keys.h"
#include "formats/fbx/curve.h"
#include "formats/fbx/euler.h"

namespace gvbind {
namespace {

constexpr std::int32_t constant_key = 0x2, linear_key = 0x4;
constexpr double short_way_tolerance = 2e-4;  // radians
constexpr double max_short_way = 2.0;         // radians: well below half a turn
constexpr double angle_tolerance = 5e-4;      // degrees

std::int64_t ticks_of(double seconds, double rate, double ticks) {
  if (lies_on_frame(seconds, rate))
    return static_cast<std::int64_t>(std::round(seconds * rate)) *
           static_cast<std::int64_t>(ticks / rate);
  return static_cast<std::int64_t>(std::round(seconds * ticks));
}

double angle_between(const Channel& angles, std::size_t a, std::size_t b) {
  const Eigen::Vector3d from(angles.values.data() + 3 * a), to(angles.values.data() + 3 * b);
  return rotation_of(from).angularDistance(rotation_of(to));
}

FbxNode span_properties(const Clip& clip, double rate, double ticks) {
  double end = 0.0;
  for (const Channel& channel : clip.channels)
    if (!channel.times.empty()) end = std::max(end, channel.times.back());
  FbxNode out = make_node("Properties70", {});
  for (const auto& [name, seconds] : {std::pair("LocalStart", 0.0),
                                      {"LocalStop", end},
                                      {"ReferenceStart", 0.0},
                                      {"ReferenceStop", end}})
    append_child(out, property_entry(name, "KTime", "Time", "",
                                     {make_long(ticks_of(seconds, rate, ticks))}));
  return out;
}

}  // namespace

Channel reduced_keys(Channel channel, double tolerance) {
  if (!channel.step) reduce_keys(channel, tolerance);
  return channel;
}

CurveKeys keys_of(const FbxEditor& editor, const Channel& channel, std::size_t column,
                  double factor, double rate) {
  CurveKeys out;
  const std::size_t columns = channel.columns();
  for (std::size_t k = 0; k < channel.times.size(); ++k) {
    const std::int64_t time = ticks_of(channel.times[k], rate, editor.ticks());
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

void add_curve(FbxEditor& editor, const CurveKeys& keys, bool step, std::int64_t curve_node,
               const std::string& component) {
  const std::int64_t id = editor.new_id();
  // Two default tangent weights of a third each, packed into one float.
  const std::array<float, 4> attributes = {0.0f, 0.0f, std::bit_cast<float>(0x0d050d05u), 0.0f};
  const std::array<std::int32_t, 1> flags = {step ? constant_key : linear_key};
  const std::array<std::int32_t, 1> count = {static_cast<std::int32_t>(keys.times.size())};
  editor.add_object(
      "AnimationCurve", id, "", "AnimCurve", "",
      {make_node("Default", {make_number(static_cast<double>(keys.values[0]))}),
       make_node("KeyVer", {make_integer(4008)}), make_node("KeyTime", {make_array(keys.times)}),
       make_node("KeyValueFloat", {make_array(keys.values)}),
       make_node("KeyAttrFlags", {make_array(flags)}),
       make_node("KeyAttrDataFloat", {make_array(attributes)}),
       make_node("KeyAttrRefCount", {make_array(count)})});
  editor.connect_property(id, curve_node, component);
}

std::int64_t add_curve_node(FbxEditor& editor, const CurveTarget& to, FbxNode properties) {
  const std::int64_t id = editor.new_id();
  editor.add_object("AnimationCurveNode", id, to.name, "AnimCurveNode", "",
                    {std::move(properties)});
  editor.connect(id, to.layer);
  editor.connect_property(id, to.object, to.property);
  return id;
}

void add_vector_curves(FbxEditor& editor, const CurveTarget& to, const Channel& channel,
                       double factor, double rate) {
  constexpr std::array<const char*, 3> names = {"d|X", "d|Y", "d|Z"};
  FbxNode properties = make_node("Properties70", {});
  std::array<CurveKeys, 3> keys;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    keys[axis] = keys_of(editor, channel, axis, factor, rate);
    append_child(properties,
                 property_entry(names[axis], "Number", "", "A",
                                {make_number(static_cast<double>(keys[axis].values[0]))}));
  }
  const std::int64_t node = add_curve_node(editor, to, std::move(properties));
  for (std::size_t axis = 0; axis < 3; ++axis)
    add_curve(editor, keys[axis], channel.step, node, names[axis]);
}

Channel reduced_angles(const Channel& rotations, const Channel& angles) {
  const Channel straight = reduced_keys(angles, angle_tolerance),
                turned = reduced_keys(rotations, short_way_tolerance);
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

std::int64_t add_clip_layer(FbxEditor& editor, const Clip& clip, double rate) {
  const std::int64_t stack = editor.new_id(), layer = editor.new_id();
  editor.add_object("AnimationStack", stack, clip.name, "AnimStack", "",
                    {span_properties(clip, rate, editor.ticks())});
  editor.add_object("AnimationLayer", layer, clip.name, "AnimLayer", "",
                    {make_node("Properties70", {}, {number_entry("Weight", 100.0)})});
  editor.connect(layer, stack);
  return layer;
}

}  // namespace gvbind
