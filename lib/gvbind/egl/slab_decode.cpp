#include "gvbind/egl/slab_decode.h"

#include <algorithm>
#include <vector>

namespace gvbind {
namespace {

using Block = std::array<std::uint64_t, 64>;

// Bit i of word k becomes bit k of word i.
void transpose(Block& b) {
  std::uint64_t mask = 0x00000000ffffffffu;
  for (std::size_t step = 32; step != 0; step /= 2, mask ^= mask << step)
    for (std::size_t i = 0; i < 64; i = ((i | step) + 1) & ~step) {
      const std::uint64_t swapped = ((b[i] >> step) ^ b[i | step]) & mask;
      b[i] ^= swapped << step;
      b[i | step] ^= swapped;
    }
}

// The first word of a row along x at slice k of the image's row v; only for the axes y and z.
std::size_t row_of(const SlabPlan& plan, const BitGrid& grid, int v, int k) {
  return plan.axis == 1 ? grid.word_index(0, k, v) : grid.word_index(0, v, k);
}

void decode_across(const SlabPlan& plan, int slice, std::size_t half,
                   std::span<const SliceBits> row, int v, BitGrid& grid) {
  const int slices = std::min(64, plan.resolution - slice);
  for (std::size_t u = 0; u < row.size(); u += 64) {
    const std::size_t count = std::min<std::size_t>(64, row.size() - u);
    Block block{};
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= block[i] = row[u + i][half];
    if (any == 0) continue;
    transpose(block);
    const std::size_t word = static_cast<std::size_t>(plan.left) / 64 + u / 64;
    for (int k = 0; k < slices; ++k)
      grid.words[row_of(plan, grid, v, slice + k) + word] |= block[static_cast<std::size_t>(k)];
  }
}

void decode_along(const SlabPlan& plan, int slice, std::size_t half, std::span<const SliceBits> row,
                  int v, BitGrid& grid) {
  const int slices = std::min(64, plan.resolution - slice);
  const std::uint64_t inside_cube = slices == 64 ? ~std::uint64_t{0} : (1ull << slices) - 1;
  for (std::size_t u = 0; u < row.size(); ++u)
    grid.words[grid.word_index(slice, plan.left + static_cast<int>(u), v)] |=
        row[u][half] & inside_cube;
}

void extend_along(const SlabPlan& plan, int low, int high, BitGrid& grid) {
  for (int v = plan.bottom; v < plan.bottom + plan.height; ++v)
    for (int u = plan.left; u < plan.left + plan.width; ++u) {
      if (grid.test(low, u, v))
        for (int k = 0; k < low; ++k) grid.set(k, u, v);
      if (grid.test(high, u, v))
        for (int k = high + 1; k < grid.resolution; ++k) grid.set(k, u, v);
    }
}

void extend_across(const SlabPlan& plan, int low, int high, BitGrid& grid) {
  const auto words = static_cast<std::size_t>(grid.words_a_row);
  const auto copy = [&](int v, int from, int begin, int end) {
    const std::uint64_t* source = &grid.words[row_of(plan, grid, v, from)];
    if (std::all_of(source, source + words, [](std::uint64_t w) { return w == 0; })) return;
    for (int k = begin; k < end; ++k)
      std::copy_n(source, words, &grid.words[row_of(plan, grid, v, k)]);
  };
  for (int v = plan.bottom; v < plan.bottom + plan.height; ++v) {
    copy(v, low, 0, low);
    copy(v, high, high + 1, grid.resolution);
  }
}

}  // namespace

void decode_group(const SlabPlan& plan, int group, std::span<const SliceBits> pixels,
                  BitGrid& grid) {
  const auto width = static_cast<std::size_t>(plan.width);
  for (int v = 0; v < plan.height; ++v) {
    const auto row = pixels.subspan(static_cast<std::size_t>(v) * width, width);
    for (std::size_t half = 0; half < 2; ++half) {
      const int slice = plan.first_slice + group * 128 + static_cast<int>(half) * 64;
      if (slice >= plan.resolution) continue;
      if (plan.axis == 0)
        decode_along(plan, slice, half, row, plan.bottom + v, grid);
      else
        decode_across(plan, slice, half, row, plan.bottom + v, grid);
    }
  }
}

void extend_slices(const SlabPlan& plan, BitGrid& grid) {
  const int low = plan.first_slice;
  const int high = std::min(low + plan.slice_groups * 128, plan.resolution) - 1;
  if (plan.axis == 0)
    extend_along(plan, low, high, grid);
  else
    extend_across(plan, low, high, grid);
}

}  // namespace gvbind
