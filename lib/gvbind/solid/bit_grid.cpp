#include "gvbind/solid/bit_grid.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

/// Packs the even bits of a word.
std::uint64_t pack_even(std::uint64_t w) {
  w &= 0x5555555555555555;
  w = (w | w >> 1) & 0x3333333333333333;
  w = (w | w >> 2) & 0x0f0f0f0f0f0f0f0f;
  w = (w | w >> 4) & 0x00ff00ff00ff00ff;
  w = (w | w >> 8) & 0x0000ffff0000ffff;
  return (w | w >> 16) & 0x00000000ffffffff;
}

/// ORs rows with copies shifted by up to `reach` bits in both directions. Empty rows are skipped,
/// here and below, so that their pages stay untouched.
void spread_along_x(const BitGrid& from, std::size_t row, int reach, std::uint64_t* to) {
  const std::uint64_t* words = from.words.data() + row;
  if (std::all_of(words, words + from.words_per_row, [](std::uint64_t w) { return w == 0; }))
    return;
  for (int w = 0; w < from.words_per_row; ++w) {
    const std::uint64_t before = w > 0 ? words[w - 1] : 0;
    const std::uint64_t after = w + 1 < from.words_per_row ? words[w + 1] : 0;
    std::uint64_t any = words[w];
    for (int k = 1; k <= reach; ++k)
      any |= words[w] << k | before >> (64 - k) | words[w] >> k | after << (64 - k);
    to[w] = any;
  }
}

}  // namespace

BitGrid coarser(const BitGrid& fine) {
  BitGrid grid(fine.resolution / 2);
  parallel_for(
      static_cast<std::size_t>(grid.resolution), 4, [&](std::size_t begin, std::size_t end) {
        for (int z = static_cast<int>(begin); z < static_cast<int>(end); ++z)
          for (int y = 0; y < grid.resolution; ++y)
            for (int w = 0; w < fine.words_per_row; ++w) {
              std::uint64_t any = 0;
              for (int k = 0; k < 4; ++k)
                any |= fine.words[fine.word_index(w * 64, 2 * y + (k & 1), 2 * z + (k >> 1))];
              if (any == 0) continue;
              grid.words[grid.word_index(w * 32, y, z)] |= pack_even(any | any >> 1)
                                                           << (w % 2 * 32);
            }
      });
  return grid;
}

BitGrid dilated(const BitGrid& grid, int reach) {
  const int r = grid.resolution;
  BitGrid along_x(r), wide(r), whole(r);
  const auto combine = [&](const BitGrid& from, BitGrid& to, std::size_t stride, bool along_y) {
    parallel_for(static_cast<std::size_t>(r), 8, [&, stride](std::size_t begin, std::size_t end) {
      for (int z = static_cast<int>(begin); z < static_cast<int>(end); ++z)
        for (int y = 0; y < r; ++y) {
          const std::size_t row = to.word_index(0, y, z);
          const int at = along_y ? y : z;
          const int first = std::max(-reach, -at), last = std::min(reach, r - 1 - at);
          for (int k = first; k <= last; ++k)
            for (int w = 0; w < to.words_per_row; ++w) {
              const std::uint64_t bits =
                  from.words[row + w + k * static_cast<std::ptrdiff_t>(stride)];
              if (bits != 0) to.words[row + w] |= bits;
            }
        }
    });
  };
  parallel_for(static_cast<std::size_t>(r) * r, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      spread_along_x(grid, row * grid.words_per_row, reach,
                     &along_x.words[row * grid.words_per_row]);
  });
  combine(along_x, wide, static_cast<std::size_t>(grid.words_per_row), true);
  combine(wide, whole, static_cast<std::size_t>(grid.words_per_row) * r, false);
  // Clears bits past the end of the row that the shifts set.
  if (r < 64)
    for (std::uint64_t& word : whole.words) word &= (std::uint64_t{1} << r) - 1;
  return whole;
}

}  // namespace gvbind
