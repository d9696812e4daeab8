#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bind/cache_stream.h"
#include "gvbind/error.h"
#include "motion/cells_file.h"
#include "round_trip.h"

namespace {

using namespace gvbind;

constexpr std::string_view first_line = "gvbind cells 1\n";

void check_weights(const motion::SkinCells& cells) {
  std::vector<Eigen::Vector3d> points;
  for (const double at : {-2.0, -0.1, 0.0, 0.3, 1e30})
    points.push_back(cells.joints[0].position + at * Eigen::Vector3d(cells.size, 0.5 * at, -at));
  const SkinWeights weights = motion::cell_weights(cells, points, cells.max_influences);
  fuzz::require(weights.vertex_count() == points.size(), "every point has a row");
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    float sum = 0.0f;
    for (const Influence& entry : weights.row(v)) {
      fuzz::require(entry.joint < cells.count() && entry.weight > 0.0f, "weights are of cells");
      sum += entry.weight;
    }
    fuzz::require(std::abs(sum - 1.0f) < 1e-4f || !points[v].allFinite(), "weights sum to one");
    fuzz::require(weights.row(v).size() <= static_cast<std::size_t>(cells.max_influences),
                  "no more joints than the cells say");
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
    const motion::SkinCells cells = motion::decode_cells(bytes);
    const std::vector<std::uint8_t> again = motion::encode_cells(cells);
    fuzz::require(motion::encode_cells(motion::decode_cells(again)) == again,
                  "cells that are taken are written and taken again");
    check_weights(cells);
  });
  return 0;
}
