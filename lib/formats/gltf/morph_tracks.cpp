#include "formats/gltf/morph_tracks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formats/gltf/append.h"
#include "formats/gltf/sampler.h"

namespace gvbind::gltf {

namespace {

constexpr double same_time = 1e-6;  ///< seconds: closer keys count as one

/// The times of both tracks; before a step an extra key keeps the jump when interpolation becomes
/// linear.
std::vector<double> joined_times(const MorphTrack& track, const std::optional<Sampler>& old) {
  std::vector<double> times = track.times;
  if (old)
    for (const double time : old->times) {
      if (!std::isfinite(time) || time < 0.0) continue;
      times.push_back(time);
      if (old->kind == Sampler::Kind::step && time > 1e-3) times.push_back(time - 1e-4);
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
    std::optional<Sampler> old;
    const Json& animation = document.json["animations"][track.animation];
    const Json& channels = list(animation, "channels");
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const Json* target = find(channels[c], "target");
      const Json* path = target ? find(*target, "path") : nullptr;
      const Json* own = target ? find(*target, "node") : nullptr;
      if (!path || *path != "weights" || !own || own->get<std::size_t>() != node.node) continue;
      old_channel = c;
      if (node.old_count > 0)
        old = read_sampler(document, animation, channels[c], {node.old_count, 1}, element);
    }
    const std::vector<double> times = joined_times(track, old);
    std::vector<double> values;
    for (const double time : times) {
      if (old) {
        const std::vector<double> kept = sample(*old, time, false);
        values.insert(values.end(), kept.begin(), kept.end());
      }
      for (std::size_t i = 0; !old && i < node.old_count; ++i) {
        // A morph without a track of its own keeps the weight of its mesh.
        const Json& holder =
            document.json["nodes"][node.node].contains("weights")
                ? document.json["nodes"][node.node]
                : document
                      .json["meshes"][document.json["nodes"][node.node]["mesh"].get<std::size_t>()];
        values.push_back(holder["weights"][i].get<double>());
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
