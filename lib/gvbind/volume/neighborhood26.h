#pragma once

#include <array>

#include "gvbind/base/morton.h"

namespace gvbind {

/// The steps of -1, 0 and 1 on each axis as numbers, x fastest. The one in the middle goes nowhere.
constexpr int direction_count = 27, no_direction = 13;

struct Step {
  int x, y, z;
  constexpr Step operator+(Step o) const { return {x + o.x, y + o.y, z + o.z}; }
  constexpr Step operator-(Step o) const { return {x - o.x, y - o.y, z - o.z}; }
};

constexpr Step offset_of(int direction) {
  return {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
}

/// Of a step of at most 1 an axis.
constexpr int direction_of(Step s) { return (s.x + 1) + 3 * (s.y + 1) + 9 * (s.z + 1); }

constexpr bool is_direction(Step s) {
  return s.x >= -1 && s.x <= 1 && s.y >= -1 && s.y <= 1 && s.z >= -1 && s.z <= 1;
}

/// Axes that it moves along: 1 by a face, 2 by an edge, 3 by a corner. Its length is the root.
constexpr int axes_of(int direction) {
  const Step s = offset_of(direction);
  return (s.x != 0) + (s.y != 0) + (s.z != 0);
}

/// A set of directions, a bit each.
using Directions = std::uint32_t;
constexpr Directions all_directions = (1u << direction_count) - 1;

/// Those that touch one of a set, or are one.
constexpr Directions touching(Directions set) {
  constexpr Directions low_x = 0x1249249u, low_y = 0x01c0e07u;
  set |= (set & ~(low_x << 2)) << 1 | (set & ~low_x) >> 1;
  set |= (set & ~(low_y << 6)) << 3 | (set & ~low_y) >> 3;
  return (set | set << 9 | set >> 9) & all_directions;
}

/// Each as what morton_add takes.
constexpr std::array<MortonCode, direction_count> morton_offsets = [] {
  std::array<MortonCode, direction_count> steps{};
  for (int d = 0; d < direction_count; ++d) {
    const Step s = offset_of(d);
    steps[static_cast<std::size_t>(d)] = morton_code(s.x, s.y, s.z);
  }
  return steps;
}();

}  // namespace gvbind
