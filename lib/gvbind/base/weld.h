#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind {

/// Hash of a point of 32- or 64-bit numbers; equal points have equal hashes.
template <class Point>
std::uint64_t point_hash(const Point& point) {
  std::uint64_t hash = 0;
  for (int axis = 0; axis < 3; ++axis) {
    hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15u;
    if constexpr (std::integral<typename Point::Scalar>)
      hash += static_cast<std::uint32_t>(point[axis]);
    else
      hash += std::bit_cast<std::uint64_t>(point[axis] + 0.0);  // -0 equals 0
  }
  hash = (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9u;
  return hash ^ hash >> 32;
}

/// By point, the first point at the same position. Points with NaN coordinates stay separate.
template <class Point>
std::vector<std::uint32_t> welded(std::span<const Point> points) {
  // Open-addressing hash table with linear probing: the first point at each position.
  constexpr auto none = static_cast<std::uint32_t>(-1);
  const std::size_t size = std::bit_ceil(2 * points.size() + 1);
  std::vector<std::uint32_t> table(size, none), first(points.size());
  for (std::uint32_t v = 0; v < first.size(); ++v) {
    const Point& p = points[v];
    first[v] = v;
    if (p != p) continue;
    std::size_t at = point_hash(p) & (size - 1);
    while (table[at] != none && points[table[at]] != p) at = (at + 1) & (size - 1);
    if (table[at] == none) table[at] = v;
    first[v] = table[at];
  }
  return first;
}

}  // namespace gvbind
