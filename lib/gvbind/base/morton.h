#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace gvbind {

/// Position in Z-order, x in the lowest bit. The codes of an octree node's cells form one range.
using MortonCode = std::uint64_t;

/// Spreads the low 21 bits of a coordinate to every third bit.
constexpr std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

constexpr std::uint32_t gather_bits(std::uint64_t x) {
  x &= 0x1249249249249249;
  x = (x | x >> 2) & 0x10c30c30c30c30c3;
  x = (x | x >> 4) & 0x100f00f00f00f00f;
  x = (x | x >> 8) & 0x1f0000ff0000ff;
  x = (x | x >> 16) & 0x1f00000000ffff;
  x = (x | x >> 32) & 0x1fffff;
  return static_cast<std::uint32_t>(x);
}

/// Coordinates: non-negative, below 2^21.
constexpr MortonCode morton_code(int x, int y, int z) {
  return spread_bits(static_cast<std::uint64_t>(x)) |
         spread_bits(static_cast<std::uint64_t>(y)) << 1 |
         spread_bits(static_cast<std::uint64_t>(z)) << 2;
}

inline MortonCode morton_code(const Eigen::Vector3i& cell) {
  return morton_code(cell.x(), cell.y(), cell.z());
}

/// Moves a code by `cells` along each axis; negative offsets are allowed. Adds each axis within its
/// own bits; wraps around at the ends.
constexpr MortonCode morton_add(MortonCode code, MortonCode cells) {
  constexpr MortonCode x = 0x1249249249249249, y = x << 1, z = x << 2;
  return (((code | ~x) + (cells & x)) & x) | (((code | ~y) + (cells & y)) & y) |
         (((code | ~z) + (cells & z)) & z);
}

inline Eigen::Vector3i morton_cell(MortonCode code) {
  return {static_cast<int>(gather_bits(code)), static_cast<int>(gather_bits(code >> 1)),
          static_cast<int>(gather_bits(code >> 2))};
}

}  // namespace gvbind
