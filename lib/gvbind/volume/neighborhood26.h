#pragma once

#include <array>

#include "gvbind/base/morton.h"

namespace gvbind {

/// Numbers the offsets of -1, 0 and 1 along each axis, x fastest. 13 is the zero offset.
constexpr int direction_count = 27, no_direction = 13;

struct Offset {
  int x, y, z;
  constexpr Offset operator+(Offset o) const { return {x + o.x, y + o.y, z + o.z}; }
  constexpr Offset operator-(Offset o) const { return {x - o.x, y - o.y, z - o.z}; }
};

constexpr Offset offset_of(int direction) {
  return {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
}

/// Offsets of at most 1 per axis.
constexpr int direction_of(Offset s) { return (s.x + 1) + 3 * (s.y + 1) + 9 * (s.z + 1); }

constexpr bool is_direction(Offset s) {
  return s.x >= -1 && s.x <= 1 && s.y >= -1 && s.y <= 1 && s.z >= -1 && s.z <= 1;
}

/// Number of axes along which a direction moves: 1 across a face, 2 an edge, 3 a corner. A
/// direction's length is its square root.
constexpr int axes_of(int direction) {
  const Offset s = offset_of(direction);
  return (s.x != 0) + (s.y != 0) + (s.z != 0);
}

/// A set of directions, one bit each.
using Directions = std::uint32_t;
constexpr Directions all_directions = (1u << direction_count) - 1;

/// The set dilated by one: all directions whose cells are in the set or touch one of its cells.
constexpr Directions touching(Directions set) {
  constexpr Directions low_x = 0x1249249u, low_y = 0x01c0e07u;
  set |= (set & ~(low_x << 2)) << 1 | (set & ~low_x) >> 1;
  set |= (set & ~(low_y << 6)) << 3 | (set & ~low_y) >> 3;
  return (set | set << 9 | set >> 9) & all_directions;
}

/// Every direction as an argument of morton_add().
constexpr std::array<MortonCode, direction_count> morton_offsets = [] {
  std::array<MortonCode, direction_count> steps{};
  for (int d = 0; d < direction_count; ++d) {
    const Offset s = offset_of(d);
    steps[d] = morton_code(s.x, s.y, s.z);
  }
  return steps;
}();

}  // namespace gvbind
