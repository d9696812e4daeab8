// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <cmath>
#include <optional>

#include "character/reduce_keys.h"
#include "formats/gltf/read_source.h"
#include "formats/gltf/sampler.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

using gltf::find;
using gltf::list;
using gltf::Sampler;

// Largest error of linear interpolation against the spline it replaces.
constexpr double spline_tolerance = 1e-5;  // radians, scales, weights; relative for translations
constexpr int max_spline_halvings = 8;     // of the time between two keys

std::optional<Channel::Path> path_of(const std::string& name) {
  if (name == "translation") return Channel::Path::translation;
  if (name == "rotation") return Channel::Path::rotation;
  if (name == "scale") return Channel::Path::scale;
  if (name == "weights") return Channel::Path::weights;
  return std::nullopt;
}

void normalize_rotation(double* q) {
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int c = 0; c < 4; ++c) q[c] = norm > 0 ? q[c] / norm : c == 3 ? 1.0 : 0.0;
}

/// Appends linear keys within `tolerance` of one span of the spline, without its first key.
void add_spline(const Sampler& sampler, std::size_t k, double tolerance, Channel& out) {
  struct Span {
    double from, to;
    int halvings;
  };
  const auto value = [&](double x) {
    std::vector<double> at = spline_value(sampler, k, x);
    if (out.path == Channel::Path::rotation) normalize_rotation(at.data());
    return at;
  };
  const double begin = sampler.times[k], width = sampler.times[k + 1] - begin;
  std::vector<Span> spans = {{0.0, 1.0, 0}};
  while (!spans.empty()) {
    const Span span = spans.back();
    spans.pop_back();
    const std::vector<double> a = value(span.from), b = value(span.to);
    double error = 0.0;
    for (const double share : {0.25, 0.5, 0.75}) {
      const std::vector<double> at = value(span.from + share * (span.to - span.from));
      for (std::size_t c = 0; c < at.size(); ++c)
        error = std::max(error, std::abs(a[c] + share * (b[c] - a[c]) - at[c]));
    }
    if (error > tolerance && span.halvings < max_spline_halvings) {
      const double middle = 0.5 * (span.from + span.to);
      spans.push_back({middle, span.to, span.halvings + 1});
      spans.push_back({span.from, middle, span.halvings + 1});
      continue;
    }
    out.times.push_back(span.to == 1.0 ? sampler.times[k + 1] : begin + span.to * width);
    out.values.insert(out.values.end(), b.begin(), b.end());
  }
}

void take_keys(const Sampler& sampler, double tolerance, Channel& out) {
  out.step = sampler.kind == Sampler::Kind::step;
  for (std::size_t k = 0; k < sampler.times.size(); ++k) {
    if (sampler.kind == Sampler::Kind::cubic && k > 0) {
      add_spline(sampler, k - 1, tolerance, out);
      continue;
    }
    out.times.push_back(sampler.times[k]);
    out.values.insert(out.values.end(), sampler.key(k), sampler.key(k) + sampler.columns);
  }
  if (out.path != Channel::Path::rotation) return;
  for (std::size_t k = 0; k < out.times.size(); ++k) normalize_rotation(out.values.data() + 4 * k);
  align_rotations(out);
}

std::optional<Channel> channel_of(const GltfSource& source, const NodeScene& scene,
                                  const Json& animation, const Json& json,
                                  const gltf::JsonElement& element,
                                  const std::vector<double>& sizes) {
  const Json* target = find(json, "target");
  if (!target || !find(json, "sampler")) gltf::fail(element, "a channel without its parts");
  const auto node = gltf::index_of(*target, "node", source.node_of.size(), element);
  const auto path = path_of(text_in(*target, "path", ""));
  if (!node || !path) return std::nullopt;
  Channel out;
  out.node = source.node_of[*node];
  out.path = *path;
  std::size_t columns = *path == Channel::Path::rotation ? 4 : 3, stored = columns;
  if (*path == Channel::Path::weights) {
    columns = scene.nodes[out.node].morph_weights.size();
    stored = 1;
    if (columns == 0) return std::nullopt;
  }
  const double tolerance =
      spline_tolerance * (*path == Channel::Path::translation ? sizes[out.node] : 1.0);
  Sampler keys = gltf::read_sampler(source.document, animation, json, {columns, stored}, element);
  source.losses.add("clip's damaged key", "clips' damaged keys", leave_out_bad_keys(keys));
  take_keys(keys, tolerance, out);
  if (out.times.empty()) return std::nullopt;
  return out;
}

/// Empty if the channel is damaged, which is counted.
std::optional<Channel> sound_channel(const GltfSource& source, const NodeScene& scene,
                                     const Json& animation, const Json& json,
                                     const gltf::JsonElement& element,
                                     const std::vector<double>& sizes) {
  try {
    return channel_of(source, scene, animation, json, element, sizes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    source.losses.add("clip's damaged channel", "clips' damaged channels");
    return std::nullopt;
  }
}

}  // namespace

void read_gltf_clips(GltfSource& source, NodeScene& scene) {
  const std::vector<double> sizes = sizes_below(scene);
  const Json& animations = list(source.document.json, "animations");
  for (std::size_t i = 0; i < animations.size(); ++i) {
    Clip clip;
    clip.name = gltf::name_of(animations[i], "animation", i);
    for (const Json& json : list(animations[i], "channels")) {
      auto channel = sound_channel(source, scene, animations[i], json, {"animations", i}, sizes);
      if (channel) clip.channels.push_back(std::move(*channel));
    }
    scene.clips.push_back(std::move(clip));
  }
}

}  // namespace gvbind
