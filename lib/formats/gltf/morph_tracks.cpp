#include "formats/gltf/morph_tracks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formats/gltf/append.h"

namespace gvbind::gltf {

namespace {

constexpr double same_time = 1e-6;  ///< seconds: closer keys count as one

/// Old weights of a node: one row per key, or three if it is a cubic spline.
struct OldTrack {
  AccessorValues times, values;
  std::string interpolation;
  std::size_t count = 0;

  double value(std::size_t key, std::size_t part, std::size_t morph) const {
    const std::size_t parts = interpolation == "CUBICSPLINE" ? 3 : 1;
    return values.values[(key * parts + part) * count + morph];
  }
};

/// Interpolation by appendix C of the specification.
double sampled(const OldTrack& track, double seconds, std::size_t morph) {
  const std::vector<double>& times = track.times.values;
  const bool cubic = track.interpolation == "CUBICSPLINE";
  const std::size_t own = cubic ? 1 : 0;
  const auto after = std::upper_bound(times.begin(), times.end(), seconds);
  if (after == times.begin()) return track.value(0, own, morph);
  const auto k = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end() || track.interpolation == "STEP") return track.value(k, own, morph);
  const double width = *after - times[k], t = (seconds - times[k]) / width;
  const double a = track.value(k, own, morph), b = track.value(k + 1, own, morph);
  if (!cubic) return a + t * (b - a);
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * width * track.value(k, 2, morph) +
         (-2 * t3 + 3 * t2) * b + (t3 - t2) * width * track.value(k + 1, 0, morph);
}

std::optional<OldTrack> read_old(const GltfDocument& document, const Json& animation,
                                 const Json& channel, const MorphedNode& node,
                                 const JsonElement& element) {
  const auto index = index_of(channel, "sampler", list(animation, "samplers").size(), element);
  if (!index) fail(element, "a channel without its parts");
  const Json& sampler = list(animation, "samplers")[*index];
  const std::size_t accessors = list(document.json, "accessors").size();
  const auto input = index_of(sampler, "input", accessors, element);
  const auto output = index_of(sampler, "output", accessors, element);
  if (!input || !output) fail(element, "a sampler without input or output");
  OldTrack track{read_accessor(document, *input, 1), read_accessor(document, *output, 1), "LINEAR",
                 node.old_count};
  normalize_integers(track.values, accessor_shape(document.json, *output));
  if (const Json* kind = find(sampler, "interpolation"); kind && kind->is_string())
    track.interpolation = kind->get<std::string>();
  const std::size_t parts = track.interpolation == "CUBICSPLINE" ? 3 : 1;
  if (track.count == 0 || track.times.count == 0) return std::nullopt;
  if (track.values.count != parts * track.times.count * track.count)
    fail(element, "a sampler of weights with " + std::to_string(track.values.count) +
                      " values for " + std::to_string(track.times.count) + " keys");
  return track;
}

/// The times of both tracks; before a step an extra key keeps the jump when interpolation becomes
/// linear.
std::vector<double> joined_times(const MorphTrack& track, const std::optional<OldTrack>& old) {
  std::vector<double> times = track.times;
  if (old)
    for (const double time : old->times.values) {
      if (!std::isfinite(time) || time < 0.0) continue;
      times.push_back(time);
      if (old->interpolation == "STEP" && time > 1e-3) times.push_back(time - 1e-4);
    }
  std::ranges::sort(times);
  std::vector<double> apart;
  for (const double time : times)
    if (apart.empty() || time - apart.back() > same_time) apart.push_back(time);
  return apart;
}

std::vector<double> new_weights(const MorphTrack& track, double seconds) {
  const auto after = std::upper_bound(track.times.begin(), track.times.end(), seconds);
  if (after == track.times.begin()) return track.weights.front();
  const auto k = static_cast<std::size_t>(after - track.times.begin()) - 1;
  if (after == track.times.end()) return track.weights.back();
  const double t = (seconds - track.times[k]) / (*after - track.times[k]);
  std::vector<double> weights = track.weights[k];
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] += t * (track.weights[k + 1][i] - weights[i]);
  return weights;
}

std::size_t append_scalars(GltfDocument& document, std::span<const double> values, bool bounds,
                           std::size_t& bytes) {
  bytes += 4 * values.size();
  return append_values(document, values, {ComponentType::f32, 1, values.size(), false},
                       ViewTarget::none, bounds);
}

}  // namespace

std::size_t add_morph_track(GltfDocument& document, const MorphTrack& track,
                            std::span<const MorphedNode> nodes) {
  std::size_t bytes = 0;
  const JsonElement element{"animations", track.animation};
  std::vector<double> last_times;
  std::size_t input = 0;
  for (const MorphedNode& node : nodes) {
    std::optional<std::size_t> old_channel;
    std::optional<OldTrack> old;
    const Json& animation = document.json["animations"][track.animation];
    const Json& channels = list(animation, "channels");
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const Json* target = find(channels[c], "target");
      const Json* path = target ? find(*target, "path") : nullptr;
      const Json* own = target ? find(*target, "node") : nullptr;
      if (!path || *path != "weights" || !own || own->get<std::size_t>() != node.node) continue;
      old_channel = c;
      old = read_old(document, animation, channels[c], node, element);
    }
    const std::vector<double> times = joined_times(track, old);
    std::vector<double> values;
    for (const double time : times) {
      for (std::size_t i = 0; i < node.old_count; ++i) {
        // A morph without a track of its own keeps the weight of its mesh.
        const Json& holder =
            document.json["nodes"][node.node].contains("weights")
                ? document.json["nodes"][node.node]
                : document
                      .json["meshes"][document.json["nodes"][node.node]["mesh"].get<std::size_t>()];
        values.push_back(old ? sampled(*old, time, i) : holder["weights"][i].get<double>());
      }
      const std::vector<double> added = new_weights(track, time);
      values.insert(values.end(), added.begin(), added.end());
    }
    if (times != last_times) input = append_scalars(document, times, true, bytes);
    last_times = times;
    const std::size_t output = append_scalars(document, values, false, bytes);
    Json& changed = document.json["animations"][track.animation];
    Json& samplers = list_to_grow(changed, "samplers");
    samplers.push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
    if (old_channel)
      changed["channels"][*old_channel]["sampler"] = samplers.size() - 1;
    else
      list_to_grow(changed, "channels")
          .push_back({{"sampler", samplers.size() - 1},
                      {"target", {{"node", node.node}, {"path", "weights"}}}});
  }
  return bytes;
}

}  // namespace gvbind::gltf
