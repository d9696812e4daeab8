#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "gvbind/solid/bit_grid.h"
#include "gvbind/unit_scene.h"
#include "support/shapes.h"

namespace gvbind::test {

inline UnitScene centered(const Shape& shape) {
  return normalize(shape.positions, shape.triangles, {});
}

/// Rounds to the grid on which triangles are drawn at resolution r (slab_plan.h), so that drawing
/// rounds nothing.
inline UnitScene on_grid(UnitScene scene, int r) {
  const int cell = lattice_size / r / 128;
  for (auto& p : scene.positions)
    for (int& q : p) q = q / cell * cell + cell / 2;
  return scene;
}

struct Crossing {
  double depth;
  bool along;  ///< the face's normal points along the axis
};

/// Crossings of the mesh with the line through a voxel's center, by edge functions in double
/// precision.
inline std::vector<Crossing> crossings(const UnitScene& scene, int axis, double u, double v) {
  const int iu = axis == 0 ? 1 : 0, iv = axis == 2 ? 1 : 2;
  std::vector<Crossing> found;
  for (const Triangle& t : scene.triangles) {
    std::array<Eigen::Vector3d, 3> c;
    for (int k = 0; k < 3; ++k) c[k] = scene.positions[t[k]].cast<double>();
    double area[3], total = 0.0;
    for (int k = 0; k < 3; ++k) {
      const auto &a = c[(k + 1) % 3], &b = c[(k + 2) % 3];
      area[k] = (a[iu] - u) * (b[iv] - v) - (a[iv] - v) * (b[iu] - u);
      total += area[k];
    }
    if (total == 0.0) continue;
    if (std::min({area[0], area[1], area[2]}) < 0.0 && std::max({area[0], area[1], area[2]}) > 0.0)
      continue;
    const double depth =
        (area[0] * c[0][axis] + area[1] * c[1][axis] + area[2] * c[2][axis]) / total;
    found.push_back({depth, (total > 0.0) != (axis == 1)});
  }
  return found;
}

/// One view as defined in the paper: for each voxel, the nearest face beyond its center.
inline BitGrid slow_view(const UnitScene& scene, int r, int axis, bool from_plus) {
  BitGrid grid(r);
  const double h = static_cast<double>(lattice_size) / r;
  for (int v = 0; v < r; ++v)
    for (int u = 0; u < r; ++u) {
      const auto faces = crossings(scene, axis, (u + 0.5) * h, (v + 0.5) * h);
      for (int k = 0; k < r; ++k) {
        double nearest = std::numeric_limits<double>::infinity();
        bool back = false;
        for (const Crossing& face : faces) {
          const double distance = (face.depth - (k + 0.5) * h) * (from_plus ? -1.0 : 1.0);
          if (distance <= 0.0 || distance > nearest + 1e-3) continue;
          const bool is_back = face.along != from_plus;
          // Of two coincident faces, the front face wins.
          back = distance < nearest - 1e-3 ? is_back : back && is_back;
          nearest = std::min(nearest, distance);
        }
        if (!back) continue;
        if (axis == 0) grid.set(k, u, v);
        if (axis == 1) grid.set(u, k, v);
        if (axis == 2) grid.set(u, v, k);
      }
    }
  return grid;
}

inline std::size_t count(const BitGrid& grid) {
  std::size_t bits = 0;
  for (const std::uint64_t word : grid.words) bits += std::popcount(word);
  return bits;
}

/// Number of voxels that differ, outside of `ignored`.
inline std::size_t differences(const BitGrid& a, const BitGrid& b, const BitGrid& ignored) {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < a.words.size(); ++i)
    bits += std::popcount((a.words[i] ^ b.words[i]) & ~ignored.words[i]);
  return bits;
}

inline std::size_t differences(const BitGrid& a, const BitGrid& b) {
  return differences(a, b, BitGrid(a.resolution));
}

}  // namespace gvbind::test
