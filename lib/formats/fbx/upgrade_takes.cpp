// Tested by tests/unit/formats/fbx/upgrade_test.cpp.

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "formats/fbx/clip_curves.h"
#include "formats/fbx/curve_tangents.h"
#include "formats/fbx/upgrade.h"
#include "formats/fbx/upgrade_parts.h"

namespace gvbind {
namespace {

/// Numbers and letters of a Key list, one after the other.
struct KeyReader {
  const std::vector<FbxProperty>& list;
  std::size_t at = 0;
  bool damaged = false;

  template <typename Value>
  std::optional<Value> next(std::optional<Value> read(const FbxProperty&)) {
    const auto value = at < list.size() ? read(list[at]) : std::nullopt;
    damaged = damaged || !value;
    ++at;
    return value;
  }
  std::optional<double> number() { return next(number_of); }
  char letter() {
    if (at >= list.size()) {
      damaged = true;
      return '\0';
    }
    const FbxProperty& property = list[at++];
    if (property.type == 'C') return static_cast<char>(integer_of(property).value_or(0));
    damaged = damaged || property.data.empty();
    return damaged ? '\0' : property.data[0];
  }
};

/// The keys of a curve in the form of 7.1.
struct OldKeys {
  std::vector<std::int64_t> times;
  std::vector<float> values, attributes;  ///< four attributes for each key
  std::vector<std::int32_t> flags;
};

/// Weights of tangents, in units of 1/9999, two packed into one float.
float packed_weights(double right, double next_left) {
  const auto packed = [](double weight) {
    return static_cast<std::uint32_t>(std::clamp(weight, 0.0, 1.0) * 9999.0 + 0.5);
  };
  return std::bit_cast<float>(packed(right) | packed(next_left) << 16);
}

struct Tangents {
  std::int32_t flags = fbx_key::cubic;
  double right = 0.0, next_left = 0.0;
  double right_weight = 1.0 / 3.0, next_left_weight = 1.0 / 3.0;
};

void read_weights(KeyReader& reader, Tangents& out) {
  const char kind = reader.letter();
  if (kind == 'a' || kind == 'r') {
    out.right_weight = reader.number().value_or(out.right_weight);
    out.flags |= fbx_key::right_weighted;
  }
  if (kind == 'a' || kind == 'l') {
    out.next_left_weight = reader.number().value_or(out.next_left_weight);
    out.flags |= fbx_key::next_left_weighted;
  }
  reader.damaged =
      reader.damaged || std::string_view("anrlcd").find(kind) == std::string_view::npos;
}

/// After "U": how the slopes are chosen, their numbers, then the weights. Keys whose slopes are
/// not in the file, or have a form that no documentation describes, get automatic tangents.
Tangents read_tangents(KeyReader& reader, std::int64_t key_version) {
  Tangents out;
  const char kind = reader.letter();
  if (kind == 's' || kind == 'b') {
    out.flags |= fbx_key::user;
    out.right = reader.number().value_or(0.0);
    out.next_left = reader.number().value_or(0.0);
    if (key_version != 4003) read_weights(reader, out);
    return out;
  }
  out.flags |= fbx_key::automatic | fbx_key::clamp_progressive | fbx_key::time_independent;
  constexpr std::pair<char, int> unused_numbers[] = {
      {'a', 0}, {'d', 1}, {'p', 2}, {'q', 2}, {'t', 3}};
  const auto* form = std::ranges::find(unused_numbers, kind, &std::pair<char, int>::first);
  if (form == std::end(unused_numbers)) {
    reader.damaged = true;
    return out;
  }
  for (int i = 0; i < form->second; ++i) reader.number();
  const bool is_old = key_version <= 4004;
  int weights = kind == 'p' || kind == 'q' ? (is_old ? 1 : 2) : 1;
  if (kind == 't' || (kind == 'a' && is_old)) weights = 0;
  Tangents unused;
  for (int i = 0; i < weights; ++i) read_weights(reader, unused);
  return out;
}

Tangents read_interpolation(KeyReader& reader, std::int64_t key_version) {
  Tangents out;
  switch (reader.letter()) {
    case 'U':
      return read_tangents(reader, key_version);
    case 'L':
      out.flags = fbx_key::linear;
      return out;
    case 'C':
      out.flags = fbx_key::constant;
      if (key_version >= 4004 && reader.letter() == 'n') out.flags |= fbx_key::next;
      return out;
    default:
      reader.damaged = true;
      return out;
  }
}

std::int64_t integer_in(const FbxNode& node, std::string_view name, std::int64_t missing) {
  const FbxNode* child = find_child(node, name);
  return child && !child->properties.empty() ? integer_of(child->properties[0]).value_or(missing)
                                             : missing;
}

/// Keys up to the first that is damaged; the others are counted, by the file's own count.
OldKeys read_keys(const FbxNode& channel, std::size_t& left_out) {
  OldKeys out;
  const FbxNode* list = find_child(channel, "Key");
  if (!list) return out;
  const std::int64_t key_version = integer_in(channel, "KeyVer", 4005);
  KeyReader reader{list->properties};
  while (reader.at < list->properties.size()) {
    const auto time = reader.next(integer_of);
    const auto value = reader.number();
    const Tangents tangents = read_interpolation(reader, key_version);
    if (reader.damaged || !time || !value) {
      const auto read = static_cast<std::int64_t>(out.times.size());
      const auto most = read + static_cast<std::int64_t>(list->properties.size());
      const std::int64_t count = integer_in(channel, "KeyCount", read + 1);
      left_out += static_cast<std::size_t>(std::clamp(count, read + 1, most) - read);
      break;
    }
    out.times.push_back(*time);
    out.values.push_back(static_cast<float>(*value));
    out.flags.push_back(tangents.flags);
    for (const float number :
         {static_cast<float>(tangents.right), static_cast<float>(tangents.next_left),
          packed_weights(tangents.right_weight, tangents.next_left_weight), 0.0f})
      out.attributes.push_back(number);
  }
  return out;
}

void add_old_curve(FbxUpgrade& upgrade, const FbxNode& channel, std::int64_t curve_node,
                   const std::string& component) {
  const OldKeys keys = read_keys(channel, upgrade.keys_left_out);
  if (keys.times.empty()) return;
  const std::int64_t id = upgrade.editor.new_id();
  std::vector<FbxNode> children = {
      make_node("Default", {make_number(static_cast<double>(keys.values[0]))}),
      make_node("KeyVer", {make_integer(4008)}),
      make_node("KeyTime", {make_array(keys.times)}),
      make_node("KeyValueFloat", {make_array(keys.values)}),
      make_node("KeyAttrFlags", {make_array(keys.flags)}),
      make_node("KeyAttrDataFloat", {make_array(keys.attributes)}),
      make_node("KeyAttrRefCount", {make_array(std::vector<std::int32_t>(keys.times.size(), 1))})};
  for (const char* end : {"Pre-Extrapolation", "Post-Extrapolation"})
    if (const FbxNode* old = find_child(channel, end)) children.push_back(upgraded_node(*old));
  upgrade.editor.add_object("AnimationCurve", id, "", "AnimCurve", "", std::move(children));
  upgrade.editor.connect_property(id, curve_node, component);
}

bool has_values(const FbxNode& channel) {
  return find_child(channel, "Key") || find_child(channel, "Default");
}

/// A channel with values of its own, or one for each of its components.
void add_channel(FbxUpgrade& upgrade, const FbxNode& channel, const CurveTarget& to) {
  std::vector<std::pair<std::string, const FbxNode*>> components;
  if (has_values(channel)) components.emplace_back("d|" + std::string(to.name), &channel);
  for (const FbxNode& child : channel.children)
    if (child.name == "Channel" && !child.properties.empty() && has_values(child))
      components.emplace_back("d|" + text_of(child.properties[0]), &child);
  if (components.empty()) return;
  FbxNode properties = make_node("Properties70", {});
  for (const auto& [name, component] : components)
    if (const FbxNode* value = find_child(*component, "Default"))
      if (const auto number =
              value->properties.empty() ? std::nullopt : number_of(value->properties[0]))
        append_child(properties, property_entry(name, "Number", "", "A", {make_number(*number)}));
  const std::int64_t node = add_curve_node(upgrade.editor, to, std::move(properties));
  for (const auto& [name, component] : components) add_old_curve(upgrade, *component, node, name);
}

void add_animated_object(FbxUpgrade& upgrade, const UpgradedObject& object, const FbxNode& old,
                         std::int64_t layer) {
  constexpr std::pair<std::string_view, std::string_view> transforms[] = {
      {"T", "Lcl Translation"}, {"R", "Lcl Rotation"}, {"S", "Lcl Scaling"}};
  for (const FbxNode& channel : old.children) {
    if (channel.name != "Channel" || channel.properties.empty()) continue;
    const std::string name = text_of(channel.properties[0]);
    if (name != "Transform") {
      add_channel(upgrade, channel, {layer, owner_of_property(object, name), name, name});
      continue;
    }
    for (const FbxNode& part : channel.children)
      for (const auto& [letter, property] : transforms)
        if (part.name == "Channel" && !part.properties.empty() &&
            text_of(part.properties[0]) == letter)
          add_channel(upgrade, part, {layer, object.id, letter, property});
  }
}

FbxNode take_span(const FbxNode& take) {
  FbxNode out = make_node("Properties70", {});
  for (const std::string name : {"Local", "Reference"}) {
    const FbxNode* span = find_child(take, name + "Time");
    if (!span || span->properties.size() < 2) continue;
    append_child(out, property_entry(name + "Start", "KTime", "Time", "",
                                     {make_long(integer_of(span->properties[0]).value_or(0))}));
    append_child(out, property_entry(name + "Stop", "KTime", "Time", "",
                                     {make_long(integer_of(span->properties[1]).value_or(0))}));
  }
  return out;
}

FbxNode take_without_objects(const FbxNode& take) {
  FbxNode out = make_node("Take", {make_text(text_of(take.properties[0]))});
  for (const FbxNode& child : take.children)
    if (child.children.empty() && !child.body.known()) append_child(out, upgraded_node(child));
  return out;
}

}  // namespace

void upgrade_takes(FbxUpgrade& upgrade, FbxNode& listed) {
  const FbxNode* takes = find_child(upgrade.old.root, "Takes");
  if (!takes) return;
  if (const FbxNode* current = find_child(*takes, "Current"))
    *find_child(listed, "Current") = upgraded_node(*current);
  for (const FbxNode& take : takes->children) {
    if (take.name != "Take" || take.properties.empty()) continue;
    append_child(listed, take_without_objects(take));
    const std::int64_t stack = upgrade.editor.new_id(), layer = upgrade.editor.new_id();
    upgrade.editor.add_object("AnimationStack", stack, text_of(take.properties[0]), "AnimStack", "",
                              {take_span(take)});
    upgrade.editor.add_object("AnimationLayer", layer, "BaseLayer", "AnimLayer", "",
                              {make_node("Properties70", {}, {number_entry("Weight", 100.0)})});
    upgrade.editor.connect(layer, stack);
    for (const FbxNode& animated : take.children) {
      const UpgradedObject* object =
          animated.properties.empty() ? nullptr : upgrade.find(animated.properties[0]);
      if (object) add_animated_object(upgrade, *object, animated, layer);
    }
  }
}

}  // namespace gvbind
