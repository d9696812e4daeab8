#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind::test {

struct Shape {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;

  void append(const Shape& other) {
    const auto base = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), other.positions.begin(), other.positions.end());
    for (const Triangle& t : other.triangles)
      triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
};

/// A closed box with outward facing triangles.
inline Shape box(const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  Shape s;
  for (int i = 0; i < 8; ++i)
    s.positions.emplace_back((i & 1) ? high.x() : low.x(), (i & 2) ? high.y() : low.y(),
                             (i & 4) ? high.z() : low.z());
  s.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return s;
}

/// A closed tube with caps along a segment, with `around` sides and `along` rings.
inline Shape capsule(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double radius,
                     int around = 16, int along = 12) {
  Shape s;
  const Eigen::Vector3d axis = (b - a).normalized();
  const Eigen::Vector3d helper =
      std::abs(axis.x()) < 0.5 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d u = axis.cross(helper).normalized(), v = axis.cross(u);
  s.positions.push_back(a - axis * radius);
  for (int i = 0; i <= along; ++i)
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * M_PI * k / around;
      s.positions.push_back(a + (b - a) * i / along +
                            (u * std::cos(angle) + v * std::sin(angle)) * radius);
    }
  s.positions.push_back(b + axis * radius);
  const auto at = [&](int i, int k) {
    return static_cast<std::uint32_t>(1 + i * around + k % around);
  };
  const auto last = static_cast<std::uint32_t>(s.positions.size() - 1);
  for (int k = 0; k < around; ++k) {
    s.triangles.push_back({0, at(0, k + 1), at(0, k)});
    for (int i = 0; i < along; ++i) {
      s.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      s.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
    s.triangles.push_back({last, at(along, k), at(along, k + 1)});
  }
  return s;
}

}  // namespace gvbind::test
