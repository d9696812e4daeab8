#include "egl/slab_decode.h"

#include <algorithm>
#include <functional>

#include "gvbind/base/parallel.h"

namespace gvbind::egl {
namespace {

using BitBlock = std::array<std::uint64_t, 64>;

constexpr std::size_t pixels_per_task = 1 << 13;

// Bit i of word k becomes bit k of word i.
void transpose(BitBlock& b) {
  std::uint64_t mask = 0x00000000ffffffffu;
  for (std::size_t step = 32; step != 0; step /= 2, mask ^= mask << step)
    for (std::size_t i = 0; i < 64; i = ((i | step) + 1) & ~step) {
      const std::uint64_t swapped = ((b[i] >> step) ^ b[i | step]) & mask;
      b[i] ^= swapped << step;
      b[i | step] ^= swapped;
    }
}

// The first word of the row along x at slice k of the image's row v; for axes y and z only.
std::size_t row_of(const SlabPlan& plan, const BitGrid& grid, int v, int k) {
  return plan.axis == 1 ? grid.word_index(0, k, v) : grid.word_index(0, v, k);
}

void decode_across(const SlabPlan& plan, int left, int slice, std::size_t half,
                   std::span<const SliceBits> row, int v, BitGrid& grid) {
  const int slices = std::min(64, plan.resolution - slice);
  for (std::size_t u = 0; u < row.size(); u += 64) {
    const std::size_t count = std::min<std::size_t>(64, row.size() - u);
    BitBlock block{};
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= block[i] = row[u + i][half];
    if (any == 0) continue;
    transpose(block);
    const std::size_t word = static_cast<std::size_t>(left) / 64 + u / 64;
    for (int k = 0; k < slices; ++k)
      grid.words[row_of(plan, grid, v, slice + k) + word] |= block[k];
  }
}

void decode_along(const SlabPlan& plan, int left, int slice, std::size_t half,
                  std::span<const SliceBits> row, int v, BitGrid& grid) {
  const int slices = std::min(64, plan.resolution - slice);
  const std::uint64_t inside_cube = slices == 64 ? ~std::uint64_t{0} : (1ull << slices) - 1;
  for (std::size_t u = 0; u < row.size(); ++u)
    grid.words[grid.word_index(slice, left + static_cast<int>(u), v)] |= row[u][half] & inside_cube;
}

void extend_along(const SlabPlan& plan, int low, int high, int v, BitGrid& grid) {
  for (int u = plan.image.left; u < plan.image.left + plan.image.width; ++u) {
    if (grid.test(low, u, v))
      for (int k = 0; k < low; ++k) grid.set(k, u, v);
    if (grid.test(high, u, v))
      for (int k = high + 1; k < grid.resolution; ++k) grid.set(k, u, v);
  }
}

void extend_across(const SlabPlan& plan, int low, int high, int v, BitGrid& grid) {
  const auto words = static_cast<std::size_t>(grid.words_per_row);
  const auto copy = [&](int from, int begin, int end) {
    const std::uint64_t* source = &grid.words[row_of(plan, grid, v, from)];
    if (std::all_of(source, source + words, [](std::uint64_t w) { return w == 0; })) return;
    for (int k = begin; k < end; ++k)
      std::copy_n(source, words, &grid.words[row_of(plan, grid, v, k)]);
  };
  copy(low, 0, low);
  copy(high, high + 1, grid.resolution);
}

// Rows of an image are rows or layers of the grid, so they share no words.
void for_each_row(const PixelRect& image, const std::function<void(int v)>& body) {
  const std::size_t rows_per_task = pixels_per_task / static_cast<std::size_t>(image.width) + 1;
  parallel_for(static_cast<std::size_t>(image.height), rows_per_task,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t v = begin; v < end; ++v) body(image.bottom + static_cast<int>(v));
               });
}

}  // namespace

void decode_group(const SlabPlan& plan, const PixelRect& tile, int group,
                  std::span<const SliceBits> pixels, BitGrid& grid) {
  const auto width = static_cast<std::size_t>(tile.width);
  for_each_row(tile, [&](int v) {
    const auto row = pixels.subspan(static_cast<std::size_t>(v - tile.bottom) * width, width);
    for (std::size_t half = 0; half < 2; ++half) {
      const int slice = plan.first_slice + group * 128 + static_cast<int>(half) * 64;
      if (slice >= plan.resolution) continue;
      if (plan.axis == 0)
        decode_along(plan, tile.left, slice, half, row, v, grid);
      else
        decode_across(plan, tile.left, slice, half, row, v, grid);
    }
  });
}

void extend_slices(const SlabPlan& plan, BitGrid& grid) {
  const int low = plan.first_slice;
  const int high = std::min(low + plan.slice_groups * 128, plan.resolution) - 1;
  for_each_row(plan.image, [&](int v) {
    if (plan.axis == 0)
      extend_along(plan, low, high, v, grid);
    else
      extend_across(plan, low, high, v, grid);
  });
}

}  // namespace gvbind::egl
