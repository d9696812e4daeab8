// Tested by tests/app/convert_test.py.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "assets/convert/fbx_source.h"
#include "assets/convert/reduce_keys.h"
#include "assets/fbx/curve.h"
#include "gvbind/error.h"

namespace gvbind::whole {
namespace {

constexpr double max_samples = 20000.0;
constexpr double max_node_samples = 8e6;  // of all nodes: some 80 bytes each
// Far below what can be seen at the end of a chain of joints.
constexpr double rotation_tolerance = 2e-5, scale_tolerance = 2e-5, weight_tolerance = 1e-4;
constexpr double translation_tolerance = 2e-5;  // of the scene's size

/// Curves of one property by axis; empty: the axis stands.
using AxisCurves = std::array<std::optional<FbxCurve>, 3>;

struct ModelCurves {
  AxisCurves translation, rotation, scaling;
  bool any = false;
};

/// The curves of one stack.
struct StackCurves {
  std::vector<ModelCurves> models;          ///< by node
  std::map<std::int64_t, FbxCurve> morphs;  ///< by channel of a BlendShape
  double begin = std::numeric_limits<double>::infinity();
  double end = -std::numeric_limits<double>::infinity();
};

void widen_span(const FbxCurve& curve, StackCurves& out) {
  out.begin = std::min(out.begin, curve.times.front());
  out.end = std::max(out.end, curve.times.back());
}

/// Curve nodes of a stack, by place: those of earlier layers come first.
std::map<std::int64_t, std::size_t> nodes_of_stack(const FbxSource& source, std::int64_t stack,
                                                   std::size_t& layers) {
  std::map<std::int64_t, std::size_t> out;
  for (const FbxObject* layer : source.objects.children_of(stack, "AnimationLayer")) {
    ++layers;
    for (const FbxObject* node : source.objects.children_of(layer->id, "AnimationCurveNode"))
      out.emplace(node->id, out.size());
  }
  return out;
}

/// For each property of an object the curve node of the first layer that moves it.
std::map<std::string, std::int64_t> driven_properties(
    const FbxSource& source, std::int64_t object,
    const std::map<std::int64_t, std::size_t>& nodes) {
  std::map<std::string, std::pair<std::size_t, std::int64_t>> first;
  if (const auto found = source.links.find(object); found != source.links.end())
    for (const FbxPropertyLink& link : found->second)
      if (const auto node = nodes.find(link.child); node != nodes.end()) {
        const auto place = std::pair(node->second, link.child);
        const auto [at, is_new] = first.emplace(link.property, place);
        if (!is_new) at->second = std::min(at->second, place);
      }
  std::map<std::string, std::int64_t> out;
  for (const auto& [property, place] : first) out.emplace(property, place.second);
  return out;
}

AxisCurves read_axes(const FbxSource& source, std::int64_t node, StackCurves& out) {
  AxisCurves axes;
  constexpr std::array<std::string_view, 3> names = {"d|X", "d|Y", "d|Z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto curves = source.at_property(node, names[axis], "AnimationCurve");
    if (curves.empty()) continue;
    axes[axis] = read_curve(source.node(*curves[0]));
    widen_span(*axes[axis], out);
  }
  return axes;
}

StackCurves read_stack(const FbxSource& source, std::int64_t stack) {
  StackCurves out;
  std::size_t layers = 0;
  const auto nodes = nodes_of_stack(source, stack, layers);
  if (layers > 1)
    source.losses.add("further layer of a clip", "further layers of clips", layers - 1);
  std::set<std::string> other;
  for (const FbxModel& model : source.models) {
    ModelCurves curves;
    for (const auto& [property, node] : driven_properties(source, model.object->id, nodes)) {
      AxisCurves* axes = property == "Lcl Translation" ? &curves.translation
                         : property == "Lcl Rotation"  ? &curves.rotation
                         : property == "Lcl Scaling"   ? &curves.scaling
                                                       : nullptr;
      if (!axes) {
        if (source.links.contains(node)) other.insert(property);
        continue;
      }
      *axes = read_axes(source, node, out);
      for (const auto& axis : *axes) curves.any = curves.any || axis;
    }
    out.models.push_back(std::move(curves));
  }
  for (const std::string& property : other)
    source.losses.add("clip's curves of " + property, "clips' curves of " + property);
  for (const FbxObject& object : source.objects.all) {
    if (!source.objects.is(object, "Deformer") || object.type != "BlendShapeChannel") continue;
    for (const auto& [property, node] : driven_properties(source, object.id, nodes))
      for (const FbxObject* curve : source.at_property(node, "d|DeformPercent", "AnimationCurve")) {
        const auto [known, is_new] = out.morphs.emplace(object.id, read_curve(source.node(*curve)));
        if (is_new) widen_span(known->second, out);
      }
  }
  return out;
}

/// The stack's own span where it has one, else that of its keys.
void take_span(const FbxNode& stack, StackCurves& curves) {
  const auto seconds = [&](const char* name) {
    return number_property(stack, nullptr, name, NAN) / fbx_ticks_per_second;
  };
  const double begin = seconds("LocalStart"), end = seconds("LocalStop");
  if (!(end > begin) && !std::isfinite(end)) return;
  const double first = std::isfinite(begin) ? begin : 0.0;
  if (end > first) {
    curves.begin = first;
    curves.end = end;
  }
}

std::vector<double> sample_times(const FbxSource& source, const StackCurves& curves) {
  std::vector<double> out;
  const double length = curves.end - curves.begin;
  if (!(length >= 0.0) || !std::isfinite(length)) return out;
  const auto nodes = static_cast<double>(std::max<std::size_t>(source.models.size(), 1));
  const double most = std::min(max_samples, std::floor(max_node_samples / nodes) + 1.0);
  const double frames = std::floor(length * source.frame_rate + 1e-6);
  const auto count = static_cast<std::size_t>(std::min(frames, most));
  const double step = frames > most ? length / most : 1.0 / source.frame_rate;
  if (frames > most)
    source.losses.add("clip's frames that are too many", "clips' frames that are too many");
  for (std::size_t i = 0; i <= count; ++i)
    out.push_back(curves.begin + static_cast<double>(i) * step);
  if (curves.end - out.back() > 1e-6) out.push_back(curves.end);
  return out;
}

void apply_axes(const AxisCurves& axes, double seconds, Eigen::Vector3d& value) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (axes[axis]) value[static_cast<Eigen::Index>(axis)] = curve_value(*axes[axis], seconds);
}

/// Nodes that move: with curves of their own, or with scaling that they take or undo from above.
std::vector<bool> moving_nodes(const FbxSource& source, const StackCurves& curves) {
  std::vector<bool> out(source.models.size(), false), scaled(source.models.size(), false);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int parent = source.models[i].parent;
    const bool above = parent >= 0 && scaled[static_cast<std::size_t>(parent)];
    for (const auto& axis : curves.models[i].scaling) scaled[i] = scaled[i] || axis;
    scaled[i] = scaled[i] || above;
    out[i] = curves.models[i].any || (above && source.models[i].transform.inherit_type != 1);
  }
  return out;
}

/// Three channels of each moving node.
std::vector<std::array<Channel, 3>> sample_nodes(FbxSource& source, const StackCurves& curves,
                                                 const std::vector<bool>& moves,
                                                 const std::vector<double>& times) {
  std::vector<std::array<Channel, 3>> out(source.models.size());
  std::vector<FbxTransform> transforms(source.models.size());
  for (const double seconds : times) {
    for (std::size_t i = 0; i < transforms.size(); ++i) {
      transforms[i] = source.models[i].transform;
      apply_axes(curves.models[i].translation, seconds, transforms[i].translation);
      apply_axes(curves.models[i].rotation, seconds, transforms[i].rotation);
      apply_axes(curves.models[i].scaling, seconds, transforms[i].scaling);
    }
    const std::vector<Transform> locals = local_transforms(source, transforms);
    for (std::size_t i = 0; i < locals.size(); ++i) {
      if (!moves[i]) continue;
      const Transform& local = locals[i];
      auto& [translation, rotation, scale] = out[i];
      translation.values.insert(translation.values.end(), local.translation.begin(),
                                local.translation.end());
      const Eigen::Vector4d turn = local.rotation.coeffs();  // x, y, z, w
      rotation.values.insert(rotation.values.end(), turn.begin(), turn.end());
      scale.values.insert(scale.values.end(), local.scale.begin(), local.scale.end());
    }
  }
  return out;
}

/// Whether the channel leaves the node where it stands anyway.
bool stands_still(const Channel& channel, const std::vector<double>& rest, double tolerance) {
  for (std::size_t i = 0; i < channel.values.size(); ++i) {
    const std::size_t c = i % rest.size();
    if (!(std::abs(channel.values[i] - rest[c]) <= tolerance)) return false;
  }
  return true;
}

void finish_channel(Channel channel, const std::vector<double>& rest, double tolerance,
                    Clip& clip) {
  for (const double value : channel.values)
    if (!std::isfinite(value))
      throw Error(ErrorKind::input, "clip '" + clip.name + "': a value is not finite");
  if (channel.path == Channel::Path::rotation) align_rotations(channel);
  if (stands_still(channel, rest, tolerance)) return;
  reduce_keys(channel, tolerance);
  clip.channels.push_back(std::move(channel));
}

void add_node_channels(FbxSource& source, const Scene& scene, const StackCurves& curves,
                       const std::vector<double>& times, const std::vector<double>& clock,
                       const std::vector<double>& sizes, Clip& clip) {
  const std::vector<bool> moves = moving_nodes(source, curves);
  auto sampled = sample_nodes(source, curves, moves, times);
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (!moves[i]) continue;
    const Transform& rest = scene.nodes[i].local;
    const Eigen::Vector4d turn = rest.rotation.coeffs();
    const std::array<std::vector<double>, 3> rests = {
        std::vector<double>(rest.translation.begin(), rest.translation.end()),
        std::vector<double>(turn.begin(), turn.end()),
        std::vector<double>(rest.scale.begin(), rest.scale.end())};
    const std::array<double, 3> tolerances = {translation_tolerance * sizes[i], rotation_tolerance,
                                              scale_tolerance};
    constexpr std::array paths = {Channel::Path::translation, Channel::Path::rotation,
                                  Channel::Path::scale};
    for (std::size_t k = 0; k < 3; ++k) {
      sampled[i][k].node = static_cast<int>(i);
      sampled[i][k].path = paths[k];
      sampled[i][k].times = clock;
      finish_channel(std::move(sampled[i][k]), rests[k], tolerances[k], clip);
    }
  }
}

void add_morph_channels(const FbxSource& source, const Scene& scene, const StackCurves& curves,
                        const std::vector<double>& times, const std::vector<double>& clock,
                        Clip& clip) {
  for (std::size_t i = 0; i < source.models.size(); ++i) {
    if (scene.nodes[i].mesh < 0) continue;
    const FbxObject* geometry = source.objects.mesh_geometry(source.models[i].object->id);
    const std::vector<FbxMorphTarget> targets = morph_targets(source, geometry->id);
    const bool driven = std::ranges::any_of(
        targets, [&](const FbxMorphTarget& t) { return curves.morphs.contains(t.channel); });
    if (!driven) continue;
    Channel channel;
    channel.node = static_cast<int>(i);
    channel.path = Channel::Path::weights;
    channel.times = clock;
    for (const double seconds : times)
      for (const FbxMorphTarget& target : targets) {
        const auto curve = curves.morphs.find(target.channel);
        const double percent = curve == curves.morphs.end() ? rest_percent(source, target.channel)
                                                            : curve_value(curve->second, seconds);
        channel.values.push_back(morph_weight(target, percent));
      }
    finish_channel(std::move(channel), scene.nodes[i].morph_weights, weight_tolerance, clip);
  }
}

}  // namespace

void read_fbx_clips(FbxSource& source, Scene& scene) {
  const std::vector<double> sizes = sizes_below(scene);
  for (const FbxObject& stack : source.objects.all) {
    if (!source.objects.is(stack, "AnimationStack")) continue;
    StackCurves curves = read_stack(source, stack.id);
    if (!(curves.end >= curves.begin)) continue;  // moves nothing
    take_span(source.node(stack), curves);
    const std::vector<double> times = sample_times(source, curves);
    if (times.empty()) continue;
    std::vector<double> clock;
    for (const double seconds : times) clock.push_back(seconds - times.front());
    Clip clip;
    clip.name = stack.name;
    add_node_channels(source, scene, curves, times, clock, sizes, clip);
    add_morph_channels(source, scene, curves, times, clock, clip);
    if (!clip.channels.empty()) scene.clips.push_back(std::move(clip));
  }
}

}  // namespace gvbind::whole
