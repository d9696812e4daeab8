#pragma once

#include <array>
#include <cstdint>

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

/// Where a cell twice as wide lies, seen from a cell of an octree that touches it: by axis, two
/// bits for the offsets that it covers, an index of place_spans.
using Place = std::uint8_t;
constexpr int place_count = 64;

struct Span {
  int low, high;
  constexpr bool has(int offset) const { return low <= offset && offset <= high; }
};
/// The first two lie beyond the smaller cell, the others beside it.
constexpr Span place_spans[4] = {{1, 1}, {-1, -1}, {0, 1}, {-1, 0}};
constexpr Span span_of(int place, int axis) { return place_spans[place >> (2 * axis) & 3]; }

/// All directions for which keep(axis, offset) is true along each axis.
template <class Keep>
constexpr Directions directions_where(const Keep& keep) {
  Directions set = 0;
  for (int d = 0; d < direction_count; ++d) {
    const Offset s = offset_of(d);
    if (d != no_direction && keep(0, s.x) && keep(1, s.y) && keep(2, s.z)) set |= 1u << d;
  }
  return set;
}

/// By place, the directions from the smaller cell to the larger one.
constexpr std::array<Directions, place_count> to_larger = [] {
  std::array<Directions, place_count> sets{};
  for (int p = 0; p < place_count; ++p)
    sets[p] = directions_where([&](int axis, int s) { return span_of(p, axis).has(s); });
  return sets;
}();

/// By place, the directions from the larger cell to cells of its size that touch the smaller one,
/// which lies at a border of each of its spans.
constexpr std::array<Directions, place_count> beside_smaller = [] {
  std::array<Directions, place_count> sets{};
  for (int p = 0; p < place_count; ++p)
    sets[p] = directions_where(
        [&](int axis, int s) { return s == 0 || s == (span_of(p, axis).has(-1) ? 1 : -1); });
  return sets;
}();

/// By axis, the directions with offsets -1, 0 and 1 along it.
constexpr std::array<std::array<Directions, 3>, 3> with_offset = [] {
  std::array<std::array<Directions, 3>, 3> sets{};
  for (int axis = 0; axis < 3; ++axis)
    for (int offset = -1; offset <= 1; ++offset)
      sets[axis][offset + 1] =
          directions_where([&](int a, int s) { return a != axis || s == offset; });
  return sets;
}();

/// The place with these directions to the larger cell.
constexpr Place place_of(Directions to_larger_cell) {
  int place = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_beside = (to_larger_cell & with_offset[axis][1]) != 0;
    const bool has_lower = (to_larger_cell & with_offset[axis][0]) != 0;
    place |= (2 * is_beside + has_lower) << (2 * axis);
  }
  return static_cast<Place>(place);
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
