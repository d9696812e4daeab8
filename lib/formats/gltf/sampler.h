#pragma once

// Tested by tests/unit/formats/gltf/animation_test.cpp.

#include <vector>

#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// The keys of a channel as in the file. Each key of a cubic one has three rows: in-tangent, value,
/// out-tangent.
struct Sampler {
  enum class Kind { step, linear, cubic };
  Kind kind = Kind::linear;
  std::vector<double> times, values;
  std::size_t columns = 1;

  std::size_t rows_per_key() const { return kind == Kind::cubic ? 3 : 1; }
  const double* row(std::size_t i) const { return values.data() + i * columns; }
  const double* key(std::size_t k) const { return row(kind == Kind::cubic ? 3 * k + 1 : k); }
};

/// The layout of a sampler's values: morph weights are stored one by one.
struct SamplerShape {
  std::size_t columns = 1;  ///< per key
  std::size_t stored = 1;   ///< per row of the accessor
};

/// The sampler of a channel of an animation. Throws Error(input) if it has no keys, or another
/// number of values than its keys need. Times and values are not checked.
Sampler read_sampler(const GltfDocument& document, const Json& animation, const Json& channel,
                     const SamplerShape& shape, const JsonElement& element);

/// Keeps finite keys with increasing times. Returns how many are left out, without exact
/// repetitions of the key before.
std::size_t leave_out_bad_keys(Sampler& sampler);

/// Cubic interpolation between keys k and k + 1, 0 <= x <= 1, by appendix C of the specification.
std::vector<double> spline_value(const Sampler& sampler, std::size_t k, double x);

/// The value at a time, by the same appendix; `rotation`: a quaternion x, y, z, w.
std::vector<double> sample(const Sampler& sampler, double seconds, bool rotation);

}  // namespace gvbind::gltf
