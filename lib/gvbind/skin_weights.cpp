#include "gvbind/skin_weights.h"

#include <algorithm>
#include <cmath>

namespace gvbind {

namespace {

constexpr std::size_t packed_count = 4;

/// Rounds down, then distributes the remainder of 65535 by largest fraction, then larger weight.
std::array<std::uint16_t, packed_count> rounded(const std::array<double, packed_count>& weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  std::array<std::uint16_t, packed_count> whole{};
  if (!(sum > 0.0)) return whole;
  std::array<double, packed_count> rest{};
  int left = 65535;
  for (std::size_t i = 0; i < packed_count; ++i) {
    const double exact = weights[i] / sum * 65535.0;
    whole[i] = static_cast<std::uint16_t>(exact);
    rest[i] = exact - whole[i];
    left -= whole[i];
  }
  for (; left > 0; --left) {
    const auto most = std::max_element(rest.begin(), rest.end());
    ++whole[most - rest.begin()];
    *most = -1.0;
  }
  return whole;
}

}  // namespace

SkinWeights pruned(const SkinWeights& weights, double least) {
  SkinWeights made;
  made.first.reserve(weights.first.size());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const WeightRow row = weights.row(v);
    std::size_t kept = std::min<std::size_t>(row.size(), 1);
    double sum = row.empty() ? 1.0 : double{row[0].weight};
    for (; kept < row.size() && double{row[kept].weight} >= least; ++kept)
      sum += double{row[kept].weight};
    if (kept == row.size()) sum = 1.0;
    for (std::size_t i = 0; i < kept; ++i) {
      made.joint.push_back(row[i].joint);
      made.weight.push_back(static_cast<float>(double{row[i].weight} / sum));
    }
    made.first.push_back(static_cast<std::uint32_t>(made.joint.size()));
  }
  return made;
}

PackedWeights pack(const SkinWeights& weights) {
  PackedWeights packed;
  packed.joints.resize(weights.vertex_count());
  packed.weights.resize(weights.vertex_count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const WeightRow row = weights.row(v);
    std::array<double, packed_count> kept{};
    for (std::size_t i = 0; i < std::min(row.size(), packed_count); ++i)
      kept[i] = double{row[i].weight};
    packed.weights[v] = rounded(kept);
    for (std::size_t i = 0; i < std::min(row.size(), packed_count); ++i)
      if (packed.weights[v][i] > 0) packed.joints[v][i] = static_cast<std::uint16_t>(row[i].joint);
  }
  return packed;
}

}  // namespace gvbind
