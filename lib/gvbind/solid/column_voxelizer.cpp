#include "gvbind/solid/column_voxelizer.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/solid/axis_columns.h"

namespace gvbind {

namespace {

/// The columns along an axis that has at least one view.
struct AxisViews {
  AxisViews(const LatticeMesh& mesh, int resolution, int axis, unsigned views)
      : plus(views & (view_plus_x << (2 * axis))), minus(views & (view_minus_x << (2 * axis))) {
    if (plus || minus) columns.emplace(mesh, resolution, axis);
  }
  template <class Run>
  void sweep_row(int row, const Run& run) const {
    if (columns) columns->sweep_row(row, plus, minus, run);
  }
  bool is_empty(int row) const { return !columns || columns->is_empty(row); }

  bool plus, minus;
  std::optional<AxisColumns> columns;
};

/// Rows of words, x fastest; all zero if `used` is not set.
struct LayerBits {
  LayerBits(int resolution, std::size_t row_words)
      : words_per_row(row_words), words(resolution * row_words) {}

  void clear() {
    if (used) std::ranges::fill(words, 0);
    used = false;
  }
  void flip(int x, int y) {
    words[static_cast<std::size_t>(y) * words_per_row + (x >> 6)] ^= std::uint64_t{1} << (x & 63);
    used = true;
  }

  std::size_t words_per_row;
  std::vector<std::uint64_t> words;
  bool used = false;
};

/// Sets bits begin to end - 1 of a row.
void set_run(std::uint64_t* row, int begin, int end) {
  const int first = begin >> 6, last = (end - 1) >> 6;
  const std::uint64_t from = ~std::uint64_t{0} << (begin & 63),
                      to = ~std::uint64_t{0} >> (63 - ((end - 1) & 63));
  if (first == last) {
    row[first] |= from & to;
    return;
  }
  row[first] |= from;
  for (int w = first + 1; w < last; ++w) row[w] = ~std::uint64_t{0};
  row[last] |= to;
}

void add_x_votes(const AxisViews& x, int z, LayerBits& layer) {
  x.sweep_row(z, [&](int y, int begin, int end) {
    set_run(&layer.words[static_cast<std::size_t>(y) * layer.words_per_row], begin, end);
    layer.used = true;
  });
}

void add_y_votes(const AxisViews& y, int z, int resolution, LayerBits& layer) {
  y.sweep_row(z, [&](int x, int begin, int end) {
    layer.flip(x, begin);
    if (end < resolution) layer.flip(x, end);
  });
  if (!layer.used) return;
  for (std::size_t i = layer.words_per_row; i < layer.words.size(); ++i)
    layer.words[i] ^= layer.words[i - layer.words_per_row];
}

/// Where votes of the z axis start or end, by layer. Its columns cross all layers.
struct LayerFlips {
  struct Place {
    std::uint16_t x, y;
  };
  std::vector<std::size_t> first;  ///< by layer, index into `places`
  std::vector<Place> places;

  void apply(int z, LayerBits& layer) const {
    for (std::size_t i = first[z]; i < first[z + 1]; ++i) layer.flip(places[i].x, places[i].y);
  }
};

LayerFlips flips_of(const AxisViews& axis, int resolution) {
  struct Flip {
    std::uint16_t x, z;
  };
  std::vector<std::vector<Flip>> rows(resolution);
  parallel_for(rows.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y)
      axis.sweep_row(static_cast<int>(y), [&](int x, int from, int to) {
        for (const int z : {from, to})
          if (z < resolution)
            rows[y].push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(z)});
      });
  });
  LayerFlips flips;
  flips.first.assign(static_cast<std::size_t>(resolution) + 1, 0);
  for (const std::vector<Flip>& row : rows)
    for (const Flip& flip : row) ++flips.first[flip.z + std::size_t{1}];
  std::partial_sum(flips.first.begin(), flips.first.end(), flips.first.begin());
  flips.places.resize(flips.first.back());
  std::vector<std::size_t> next(flips.first.begin(), flips.first.end() - 1);
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (const Flip& flip : rows[y])
      flips.places[next[flip.z]++] = {flip.x, static_cast<std::uint16_t>(y)};
    rows[y] = {};
  }
  return flips;
}

}  // namespace

void visit_column_votes(const LatticeMesh& mesh, int resolution, unsigned views,
                        const std::function<void(const VoteLayer&)>& visit) {
  const LayerFlips z_flips = flips_of(AxisViews(mesh, resolution, 2, views), resolution);
  const AxisViews x(mesh, resolution, 0, views), y(mesh, resolution, 1, views);
  const auto words = static_cast<std::size_t>(resolution + 63) / 64;
  constexpr int slab = 16;
  const auto slabs = static_cast<std::size_t>(resolution / slab);
  // The z votes in the first layer of a slab depend on all slabs before it.
  std::vector<LayerBits> before(slabs, LayerBits(resolution, words));
  parallel_for(slabs - 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s)
      for (int z = 0; z < slab; ++z) z_flips.apply(static_cast<int>(s) * slab + z, before[s + 1]);
  });
  for (std::size_t s = 1; s < slabs; ++s)
    for (std::size_t i = 0; i < before[s].words.size(); ++i)
      before[s].words[i] ^= before[s - 1].words[i];
  parallel_for(slabs, 1, [&](std::size_t begin, std::size_t end) {
    LayerBits by_x(resolution, words), by_y(resolution, words);
    for (std::size_t s = begin; s < end; ++s)
      for (int z = static_cast<int>(s) * slab; z < static_cast<int>(s + 1) * slab; ++z) {
        by_x.clear();
        by_y.clear();
        add_x_votes(x, z, by_x);
        add_y_votes(y, z, resolution, by_y);
        z_flips.apply(z, before[s]);
        visit({z, {by_x.words, by_y.words, before[s].words}});
      }
  });
}

AxisVotes voxelize_columns(const LatticeMesh& mesh, int resolution, unsigned views) {
  AxisVotes votes;
  for (BitGrid& grid : votes.axis) grid = BitGrid(resolution);
  visit_column_votes(mesh, resolution, views, [&](const VoteLayer& layer) {
    for (int axis = 0; axis < 3; ++axis)
      std::ranges::copy(layer.axis[axis], votes.axis[axis].words.begin() +
                                              votes.axis[axis].word_index(0, 0, layer.z));
  });
  return votes;
}

}  // namespace gvbind
