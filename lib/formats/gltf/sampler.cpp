#include "formats/gltf/sampler.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "formats/gltf/accessor.h"
#include "formats/gltf/json_values.h"

namespace gvbind::gltf {

Sampler read_sampler(const GltfDocument& document, const Json& animation, const Json& channel,
                     const SamplerShape& shape, const JsonElement& element) {
  const Json& samplers = list(animation, "samplers");
  const auto index = index_of(channel, "sampler", samplers.size(), element);
  if (!index) fail(element, "a channel without its parts");
  const Json& json = samplers[*index];
  const std::size_t accessors = list(document.json, "accessors").size();
  const auto input = index_of(json, "input", accessors, element);
  const auto output = index_of(json, "output", accessors, element);
  if (!input || !output) fail(element, "a sampler without input or output");
  Sampler out;
  const std::string kind = text_in(json, "interpolation", "LINEAR");
  out.kind = kind == "STEP"          ? Sampler::Kind::step
             : kind == "CUBICSPLINE" ? Sampler::Kind::cubic
                                     : Sampler::Kind::linear;
  out.columns = shape.columns;
  out.times = read_accessor(document, *input, 1).values;
  AccessorValues values = read_accessor(document, *output, shape.stored);
  out.values = std::move(values.values);
  if (out.times.empty() || out.values.size() != out.times.size() * out.rows_per_key() * out.columns)
    fail(element, "a sampler with " + std::to_string(values.count) + " values for " +
                      std::to_string(out.times.size()) + " keys");
  return out;
}

std::size_t leave_out_bad_keys(Sampler& sampler) {
  const std::size_t of_key = sampler.columns * sampler.rows_per_key();
  const auto is_finite = [](double number) { return std::isfinite(number); };
  std::size_t kept = 0, repeated = 0;
  for (std::size_t k = 0; k < sampler.times.size(); ++k) {
    const auto values = std::span(sampler.values).subspan(k * of_key, of_key);
    const bool is_sound = is_finite(sampler.times[k]) && std::ranges::all_of(values, is_finite) &&
                          (kept == 0 || sampler.times[k] > sampler.times[kept - 1]);
    repeated +=
        kept > 0 && sampler.times[k] == sampler.times[kept - 1] &&
        std::equal(values.begin(), values.end(), sampler.values.data() + (kept - 1) * of_key);
    if (!is_sound) continue;
    sampler.times[kept] = sampler.times[k];
    if (kept < k) std::ranges::copy(values, sampler.values.data() + kept * of_key);
    ++kept;
  }
  const std::size_t left_out = sampler.times.size() - kept - repeated;
  sampler.times.resize(kept);
  sampler.values.resize(kept * of_key);
  return left_out;
}

std::vector<double> spline_value(const Sampler& sampler, std::size_t k, double x) {
  const double width = sampler.times[k + 1] - sampler.times[k];
  const double x2 = x * x, x3 = x2 * x;
  const double *a = sampler.row(3 * k + 1), *out_of = sampler.row(3 * k + 2),
               *into = sampler.row(3 * k + 3), *b = sampler.row(3 * k + 4);
  std::vector<double> out(sampler.columns);
  for (std::size_t c = 0; c < sampler.columns; ++c)
    out[c] = (2 * x3 - 3 * x2 + 1) * a[c] + (x3 - 2 * x2 + x) * width * out_of[c] +
             (-2 * x3 + 3 * x2) * b[c] + (x3 - x2) * width * into[c];
  return out;
}

std::vector<double> sample(const Sampler& sampler, double seconds, bool rotation) {
  const std::vector<double>& times = sampler.times;
  const auto key = [&](std::size_t k) {
    return std::vector<double>(sampler.key(k), sampler.key(k) + sampler.columns);
  };
  const auto after = std::upper_bound(times.begin(), times.end(), seconds);
  if (after == times.begin()) return key(0);
  const auto k = static_cast<std::size_t>(after - times.begin()) - 1;
  const double width = after == times.end() ? 0.0 : *after - times[k];
  if (!(width > 0.0) || sampler.kind == Sampler::Kind::step) return key(k);
  const double t = (seconds - times[k]) / width;
  if (sampler.kind == Sampler::Kind::cubic) return spline_value(sampler, k, t);
  std::vector<double> out = key(k);
  const double* next = sampler.key(k + 1);
  if (rotation) {
    const Eigen::Quaterniond from(out.data()), to(next);
    const Eigen::Vector4d turned = from.slerp(t, to).coeffs();
    return {turned.begin(), turned.end()};
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c] += t * (next[c] - out[c]);
  return out;
}

}  // namespace gvbind::gltf
