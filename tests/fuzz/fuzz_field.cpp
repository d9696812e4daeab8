#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "bind/cache_stream.h"
#include "bind/distance_cache.h"
#include "gvbind/error.h"
#include "round_trip.h"

namespace {

using namespace gvbind;

constexpr std::string_view first_line = "gvbind field 2\n";

/// Computes weights from an accepted file, by the falloff and, if there are scores, by the network.
void check_weights(const CachedSolid& solid, bool fitted) {
  BindOptions options;
  options.resolution = solid.kept.distances.voxels.resolution;
  options.max_influences = 1;
  options.distance = DistanceRule::path;
  options.components = ComponentRule::bend;
  options.weights = fitted ? WeightRule::fitted : WeightRule::falloff;
  const SkinWeights weights = bind_kept(solid.kept, solid.joints, options).weights;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    float sum = 0.0f;
    for (const Influence& entry : weights.row(v)) sum += entry.weight;
    fuzz::require(weights.row(v).empty() || std::abs(sum - 1.0f) < 1e-4f, "weights sum to one");
  }
}

}  // namespace

/// The input is the content of a file without compression and checksum, which no mutation would
/// survive; every fourth input is read as a complete file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  std::vector<std::uint8_t> bytes(data, data + size);
  if (size % 4 != 0) {
    const std::vector<std::uint8_t> packed = pack_blocks(bytes);
    bytes.assign(first_line.begin(), first_line.end());
    bytes.insert(bytes.end(), packed.begin(), packed.end());
  }
  fuzz::accepts([&] {
    const DistanceCache field = decode_field(bytes);
    const std::vector<std::uint8_t> again = encode_field(field);
    fuzz::require(encode_field(decode_field(again)) == again,
                  "a field that is taken is written and taken again");
    for (const CachedSolid& solid : field.solids) check_weights(solid, size % 8 < 4);
  });
  return 0;
}
