#include "formats/fbx/stack.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr const char *translation = "Lcl Translation", *rotation = "Lcl Rotation",
                     *scaling = "Lcl Scaling", *percent = "DeformPercent";

/// Lookup of layers and curve nodes while reading a stack.
struct LayerReader {
  const FbxObjects& objects;
  const FbxPropertyLinks& links;
  FbxStackDamage& damage;
  std::map<std::int64_t, std::size_t> layers = {};  ///< by id: index in FbxStack::layers
  /// By curve node: its index among the curve nodes of all layers, and its layer.
  std::map<std::int64_t, std::pair<std::size_t, std::size_t>> nodes = {};
};

double clamped_weight(double percent_of_all) {
  const double weight = percent_of_all / 100.0;
  return weight > 0.99999 ? 1.0 : std::max(weight, 0.0);
}

FbxAnimationLayer read_layer(const FbxNode& node) {
  FbxAnimationLayer out;
  const int blend = integer_property(node, nullptr, "BlendMode", 0);
  out.blend = blend == 0   ? FbxAnimationLayer::Blend::add
              : blend == 2 ? FbxAnimationLayer::Blend::mix
                           : FbxAnimationLayer::Blend::replace;
  const double weight = number_property(node, nullptr, "Weight", 100.0);
  if (std::isfinite(weight)) out.weight = clamped_weight(weight);
  out.turns_compose = integer_property(node, nullptr, "RotationAccumulationMode", 0) == 0;
  out.scales_multiply = integer_property(node, nullptr, "ScaleAccumulationMode", 0) == 0;
  return out;
}

void read_layers(std::int64_t stack, LayerReader& reader, FbxStack& out) {
  const auto is_set = [&](const FbxObject* layer, const char* name) {
    return integer_property(reader.objects.node(*layer), nullptr, name, 0) != 0;
  };
  const auto all = reader.objects.children_of(stack, "AnimationLayer");
  const bool any_solo =
      std::ranges::any_of(all, [&](auto* layer) { return is_set(layer, "Solo"); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_set(all[i], "Mute") || (any_solo && !is_set(all[i], "Solo"))) continue;
    const std::size_t place = out.layers.size();
    if (!reader.layers.emplace(all[i]->id, place).second) continue;
    out.layers.push_back(read_layer(reader.objects.node(*all[i])));
    if (i == 0) out.layers.back().blend = FbxAnimationLayer::Blend::replace;
    for (const FbxObject* node : reader.objects.children_of(all[i]->id, "AnimationCurveNode"))
      reader.nodes.emplace(node->id, std::pair(reader.nodes.size(), place));
  }
}

std::size_t axis_of_channel(std::string_view name) {
  return name == "d|Y" ? 1 : name == "d|Z" ? 2 : 0;
}

/// Empty, and counted, if it is damaged.
std::optional<FbxCurve> sound_curve(const FbxNode& node, double ticks, FbxStackDamage& damage) {
  try {
    FbxCurve curve = read_curve(node, ticks);
    damage.keys += curve.left_out;
    damage.all += curve.left_out + curve.times.size();
    return curve;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    ++damage.curves;
    return std::nullopt;
  }
}

/// The curves of a curve node; empty if it has neither curves nor values.
std::optional<FbxLayerCurves> read_curves(const LayerReader& reader, std::int64_t id) {
  const FbxObject* object = reader.objects.find(id);
  if (!object) return std::nullopt;
  FbxLayerCurves out;
  bool any = false;
  if (const auto found = reader.links.find(id); found != reader.links.end())
    for (const FbxPropertyLink& link : found->second) {
      const FbxObject* curve = reader.objects.find(link.child);
      if (!curve || !reader.objects.is(*curve, "AnimationCurve")) continue;
      std::optional<FbxCurve>& axis = out.axes[axis_of_channel(link.property)];
      if (!axis)
        axis = sound_curve(reader.objects.node(*curve), reader.objects.ticks_per_second,
                           reader.damage);
      any = true;
    }
  for (const char* name : {"d|X", "d|Y", "d|Z", "d|DeformPercent"}) {
    const double value = number_property(reader.objects.node(*object), nullptr, name, NAN);
    if (!std::isfinite(value)) continue;
    out.constants[axis_of_channel(name)] = value;
    any = true;
  }
  if (!any) return std::nullopt;
  return out;
}

/// Whether the curve keeps a property at its static value; many writers bake such curves.
bool stays_at(const FbxNode& curve, double value) {
  const FbxNode* keys = find_child(curve, "KeyValueFloat");
  if (!keys) return false;
  try {
    return std::ranges::all_of(doubles_of(*keys), [&](double key) { return key == value; });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return false;
  }
}

/// Whether the curves of a node change a property of an object.
bool changes(const LayerReader& reader, std::int64_t id, const FbxObject& object,
             const std::string& property) {
  const auto found = reader.links.find(id);
  if (found == reader.links.end()) return false;
  const FbxNode* fallback =
      reader.objects.is(object, "Model") ? reader.objects.model_template : nullptr;
  const FbxNode* entry = find_property(reader.objects.node(object), fallback, property);
  return std::ranges::any_of(found->second, [&](const FbxPropertyLink& link) {
    const FbxObject* curve = reader.objects.find(link.child);
    if (!curve || !reader.objects.is(*curve, "AnimationCurve")) return false;
    const std::size_t at = 4 + axis_of_channel(link.property);
    const bool known = entry && at < entry->properties.size();
    double value = known ? number_of(entry->properties[at]).value_or(NAN) : NAN;
    if (!entry && property == "Visibility") value = 1.0;
    return !stays_at(reader.objects.node(*curve), value);
  });
}

/// Whether the geometry contains a blend shape with this name, as in files of 7.1.
bool has_shape(const FbxNode& geometry, const std::string& name) {
  return std::ranges::any_of(geometry.children, [&](const FbxNode& part) {
    return part.name == "Shape" && !part.properties.empty() && text_of(part.properties[0]) == name;
  });
}

bool is_carried(const FbxObjects& objects, const FbxObject& object, const std::string& property) {
  if (objects.is(object, "Model"))
    return property == translation || property == rotation || property == scaling;
  if (objects.is(object, "Geometry")) return has_shape(objects.node(object), property);
  return property == percent && objects.is(object, "Deformer") &&
         object.type == "BlendShapeChannel";
}

/// If a layer has several curve nodes for a property, the first counts.
void add_property(const LayerReader& reader, std::int64_t node, std::size_t layer,
                  FbxPropertyCurves& out) {
  if (std::ranges::find(out, layer, &FbxLayerCurves::layer) != out.end()) return;
  if (std::optional<FbxLayerCurves> curves = read_curves(reader, node)) {
    curves->layer = layer;
    out.push_back(std::move(*curves));
  }
}

void read_object(const LayerReader& reader, std::int64_t id, std::vector<FbxPropertyLink> links,
                 FbxStack& out) {
  const FbxObject* object = reader.objects.find(id);
  std::erase_if(links, [&](const FbxPropertyLink& l) { return !reader.nodes.contains(l.child); });
  if (!object || links.empty()) return;
  std::ranges::stable_sort(links, {},
                           [&](const auto& link) { return reader.nodes.at(link.child); });
  const FbxStackDamage before = reader.damage;
  for (const FbxPropertyLink& link : links) {
    if (reader.objects.is(*object, "AnimationLayer")) {
      const auto curves = read_curves(reader, link.child);
      const auto layer = reader.layers.find(id);
      if (link.property == "Weight" && curves && layer != reader.layers.end())
        out.layers[layer->second].percent = curves->axes[0];
    } else if (is_carried(reader.objects, *object, link.property)) {
      add_property(reader, link.child, reader.nodes.at(link.child).second,
                   out.curves[id][link.property]);
    } else if (changes(reader, link.child, *object, link.property)) {
      out.other_properties.insert(link.property);
    }
  }
  out.damage_of[id] = {reader.damage.curves - before.curves, reader.damage.keys - before.keys,
                       reader.damage.all - before.all};
}

double weight_at(const FbxAnimationLayer& layer, double seconds) {
  return layer.percent ? clamped_weight(curve_value(*layer.percent, seconds)) : layer.weight;
}

/// Raises the magnitude to the power of a weight and keeps the sign.
double power(double value, double weight) {
  return std::copysign(std::pow(std::abs(value), weight), weight > 0.0 ? value : 1.0);
}

Eigen::Vector3d joined_scales(const FbxAnimationLayer& layer, double weight,
                              const Eigen::Vector3d& below, const Eigen::Vector3d& value) {
  const bool adds = layer.blend == FbxAnimationLayer::Blend::add;
  Eigen::Vector3d out;
  for (Eigen::Index k = 0; k < 3; ++k)
    out[k] = power(below[k], adds ? 1.0 : 1.0 - weight) * power(value[k], weight);
  return out;
}

/// Degrees, in the order of fbx_rotation(); the middle angle is within a quarter turn.
Eigen::Vector3d angles_of(const Eigen::Matrix3d& matrix, int order) {
  static constexpr int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                     {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  const auto& [first, middle, last] = axes[order >= 0 && order < 6 ? order : 0];
  const double sign = (middle - first + 3) % 3 == 1 ? 1.0 : -1.0;
  const double across = std::hypot(matrix(first, first), matrix(middle, first));
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  out[middle] = std::atan2(-sign * matrix(last, first), across);
  if (across > 1e-9) {
    out[first] = std::atan2(sign * matrix(last, middle), matrix(last, last));
    out[last] = std::atan2(sign * matrix(middle, first), matrix(first, first));
  } else {
    out[first] = std::atan2(-sign * matrix(middle, last), matrix(middle, middle));
  }
  return out * (180.0 / M_PI);
}

Eigen::Vector3d joined_turns(const FbxAnimationLayer& layer, double weight, int order,
                             const Eigen::Vector3d& below, const Eigen::Vector3d& value) {
  const Eigen::Quaterniond from(fbx_rotation(below, order)), to(fbx_rotation(value, order));
  const Eigen::Quaterniond joined = layer.blend == FbxAnimationLayer::Blend::add
                                        ? from * Eigen::Quaterniond::Identity().slerp(weight, to)
                                        : from.slerp(weight, to);
  return angles_of(joined.toRotationMatrix(), order);
}

/// Combines the value of the layers below with the value of a layer.
Eigen::Vector3d joined(const FbxAnimationLayer& layer, double weight, const std::string& property,
                       int order, const Eigen::Vector3d& below, const Eigen::Vector3d& value) {
  if (layer.blend == FbxAnimationLayer::Blend::replace) return value;
  if (property == scaling && layer.scales_multiply)
    return joined_scales(layer, weight, below, value);
  if (property == rotation && layer.turns_compose)
    return joined_turns(layer, weight, order, below, value);
  return layer.blend == FbxAnimationLayer::Blend::add
             ? Eigen::Vector3d(below + weight * value)
             : Eigen::Vector3d((1.0 - weight) * below + weight * value);
}

Eigen::Vector3d value_at(const FbxStack& stack, std::int64_t object, const std::string& property,
                         int order, Eigen::Vector3d value, double seconds) {
  const FbxPropertyCurves* curves = stack.find(object, property);
  if (!curves) return value;
  for (const FbxLayerCurves& on_layer : *curves) {
    const FbxAnimationLayer& layer = stack.layers[on_layer.layer];
    Eigen::Vector3d above = value;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double& target = above[static_cast<Eigen::Index>(axis)];
      if (on_layer.axes[axis])
        target = curve_value(*on_layer.axes[axis], seconds);
      else if (on_layer.constants[axis])
        target = *on_layer.constants[axis];
      else if (layer.blend == FbxAnimationLayer::Blend::add)
        target = property == scaling && layer.scales_multiply ? 1.0 : 0.0;
    }
    value = joined(layer, weight_at(layer, seconds), property, order, value, above);
  }
  return value;
}

}  // namespace

const FbxPropertyCurves* FbxStack::find(std::int64_t object, const std::string& property) const {
  const auto of_object = curves.find(object);
  if (of_object == curves.end()) return nullptr;
  const auto found = of_object->second.find(property);
  return found == of_object->second.end() || found->second.empty() ? nullptr : &found->second;
}

FbxStack read_stack(const FbxObjects& objects, const FbxPropertyLinks& links, std::int64_t stack) {
  FbxStack out;
  LayerReader reader{objects, links, out.damage};
  read_layers(stack, reader, out);
  for (const auto& [id, found] : links) read_object(reader, id, found, out);
  return out;
}

double number_at(const FbxStack& stack, std::int64_t object, const std::string& property,
                 double rest, double seconds) {
  return value_at(stack, object, property, 0, {rest, 0.0, 0.0}, seconds).x();
}

void place_transform(const FbxStack& stack, std::int64_t model, double seconds,
                     FbxTransform& transform) {
  const int order = transform.rotation_active ? transform.rotation_order : 0;
  const auto move = [&](const char* property, Eigen::Vector3d& value) {
    value = value_at(stack, model, property, order, value, seconds);
  };
  move(translation, transform.translation);
  move(rotation, transform.rotation);
  move(scaling, transform.scaling);
}

}  // namespace gvbind
