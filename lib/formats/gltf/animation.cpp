#include "formats/gltf/animation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "formats/gltf/accessor.h"

namespace gvbind::gltf {
namespace {

struct Sampler {
  AccessorValues times, values;
  std::string interpolation = "LINEAR";
};

std::string_view text_or(const Json& object, const char* key, std::string_view missing) {
  const Json* found = find(object, key);
  return found && found->is_string() ? std::string_view(found->get_ref<const std::string&>())
                                     : missing;
}

Sampler read_sampler(const GltfDocument& document, const Json& animation, std::size_t index,
                     std::size_t columns, const JsonElement& element) {
  const Json& json = list(animation, "samplers")[index];
  const std::size_t accessors = list(document.json, "accessors").size();
  const auto input = index_of(json, "input", accessors, element);
  const auto output = index_of(json, "output", accessors, element);
  if (!input || !output) fail(element, "a sampler without input or output");
  Sampler sampler;
  sampler.times = read_accessor(document, *input, 1);
  sampler.values = read_accessor(document, *output, columns);
  normalize_integers(sampler.values, accessor_shape(document.json, *output));
  sampler.interpolation = text_or(json, "interpolation", "LINEAR");
  const std::size_t per_key = sampler.interpolation == "CUBICSPLINE" ? 3 : 1;
  if (sampler.times.count == 0 || sampler.values.count != per_key * sampler.times.count)
    fail(element, "a sampler with " + std::to_string(sampler.values.count) + " values for " +
                      std::to_string(sampler.times.count) + " keys");
  // Check all keys, not only those at `seconds`: whether a clip is valid must not depend on the
  // time.
  for (const auto* numbers : {&sampler.times.values, &sampler.values.values})
    if (!std::ranges::all_of(*numbers, [](double number) { return std::isfinite(number); }))
      fail(element, "a value that is not finite");
  return sampler;
}

using Values = Eigen::Vector4d;  ///< three components, or a quaternion as x y z w

Values row_of(const Sampler& sampler, std::size_t row) {
  Values out = Values::Zero();
  const auto values = sampler.values.row(row);
  for (std::size_t i = 0; i < values.size(); ++i) out[static_cast<Eigen::Index>(i)] = values[i];
  return out;
}

Values between(const Values& a, const Values& b, double t, bool rotation) {
  if (!rotation) return a + t * (b - a);
  return Eigen::Quaterniond(a).slerp(t, Eigen::Quaterniond(b)).coeffs();
}

/// Interpolation by appendix C of the specification.
Values sample(const Sampler& sampler, double seconds, bool rotation) {
  const std::vector<double>& times = sampler.times.values;
  const bool cubic = sampler.interpolation == "CUBICSPLINE";
  const auto key = [&](std::size_t k) { return row_of(sampler, cubic ? 3 * k + 1 : k); };
  const auto after = std::upper_bound(times.begin(), times.end(), seconds);
  if (after == times.begin()) return key(0);
  const auto k = static_cast<std::size_t>(after - times.begin()) - 1;
  const double width = after == times.end() ? 0.0 : *after - times[k];
  if (!(width > 0.0) || sampler.interpolation == "STEP") return key(k);
  const double t = (seconds - times[k]) / width;
  if (!cubic) return between(key(k), key(k + 1), t, rotation);
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * key(k) + (t3 - 2 * t2 + t) * width * row_of(sampler, 3 * k + 2) +
         (-2 * t3 + 3 * t2) * key(k + 1) + (t3 - t2) * width * row_of(sampler, 3 * (k + 1));
}

void apply_channel(const GltfDocument& document, const Json& animation, const Json& channel,
                   double seconds, const JsonElement& element, Json& nodes) {
  const Json* target = find(channel, "target");
  const auto sampler = index_of(channel, "sampler", list(animation, "samplers").size(), element);
  if (!target || !target->is_object() || !sampler) fail(element, "a channel without its parts");
  const auto node = index_of(*target, "node", nodes.size(), element);
  const std::string path(text_or(*target, "path", ""));
  const bool rotation = path == "rotation";
  if (!node || (!rotation && path != "translation" && path != "scale")) return;
  const std::size_t columns = rotation ? 4 : 3;
  const Values value =
      sample(read_sampler(document, animation, *sampler, columns, element), seconds, rotation);
  if (!value.allFinite()) fail(element, "a " + path + " that is not finite");
  Json numbers = Json::array();
  for (std::size_t i = 0; i < columns; ++i) numbers.push_back(value[static_cast<Eigen::Index>(i)]);
  nodes[*node][path] = std::move(numbers);
}

}  // namespace

std::vector<std::string> animation_names(const Json& root) {
  std::vector<std::string> names;
  for (const Json& animation : list(root, "animations"))
    names.push_back(name_of(animation, "animation", names.size()));
  return names;
}

Json animated_nodes(const GltfDocument& document, std::size_t animation, double seconds) {
  Json nodes = list(document.json, "nodes");
  const Json& json = list(document.json, "animations")[animation];
  for (const Json& channel : list(json, "channels"))
    apply_channel(document, json, channel, seconds, {"animations", animation}, nodes);
  return nodes;
}

}  // namespace gvbind::gltf
