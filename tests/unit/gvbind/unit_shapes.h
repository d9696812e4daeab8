#pragma once

#include <Eigen/Geometry>
#include <concepts>
#include <random>

#include "gvbind/unit_scene.h"

namespace gvbind::test {

inline Shape turned(Shape shape) {
  const Eigen::AngleAxisd turn(0.7, Eigen::Vector3d(1.0, 2.0, 3.0).normalized());
  for (Eigen::Vector3d& p : shape.positions) p = turn * p;
  return shape;
}

/// The mirror image about the plane through the cube's center. Triangles have to be reversed.
inline Eigen::Vector3i mirrored(const Eigen::Vector3i& p) {
  return {lattice_size - p.x(), p.y(), p.z()};
}
template <class Mesh>
requires std::derived_from<Mesh, LatticeMesh> Mesh mirrored(Mesh mesh) {
  for (Eigen::Vector3i& p : mesh.positions) p = mirrored(p);
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Two crossed capsules.
inline Shape crossed_capsules() {
  Shape s = capsule({-1.0, 0.1, 0.0}, {1.0, -0.1, 0.2}, 0.3);
  s.append(capsule({0.1, -1.0, 0.1}, {-0.1, 1.0, 0.0}, 0.25));
  return s;
}

/// A stick figure of capsules with joints: trunk, head, and arms and legs of two segments.
struct Figure {
  Shape shape;
  std::vector<Joint> joints;
};

inline Figure figure() {
  Figure f;
  f.joints = {{{0.0, 1.0, 0.0}, -1},  {{0.0, 1.5, 0.02}, 0},    {{0.0, 1.9, 0.05}, 1},
              {{0.3, 1.5, 0.0}, 1},   {{0.7, 1.45, 0.03}, 3},   {{1.1, 1.4, 0.1}, 4},
              {{-0.3, 1.5, 0.0}, 1},  {{-0.7, 1.45, 0.03}, 6},  {{-1.1, 1.4, 0.1}, 7},
              {{0.15, 0.9, 0.0}, 0},  {{0.18, 0.5, 0.05}, 9},   {{0.2, 0.05, 0.0}, 10},
              {{-0.15, 0.9, 0.0}, 0}, {{-0.18, 0.5, 0.05}, 12}, {{-0.2, 0.05, 0.0}, 13}};
  for (const Joint& joint : f.joints)
    if (joint.parent >= 0)
      f.shape.append(capsule(f.joints[static_cast<std::size_t>(joint.parent)].position,
                             joint.position, joint.parent < 2 ? 0.16 : 0.09, 12, 8));
  return f;
}

/// A closed shape, star-shaped about the cube's center, with corners at multiples of `grid` lattice
/// steps, so that faces, edges and corners meet voxel centers and columns exactly.
inline UnitScene lattice_star(unsigned seed, int grid) {
  const Shape ball = capsule({0, 0, -0.3}, {0, 0, 0.3}, 1.0, 7, 3);
  std::mt19937 random(seed);
  UnitScene scene;
  scene.triangles = ball.triangles;
  for (const Eigen::Vector3d& p : ball.positions) {
    const double length =
        (0.15 + 0.25 * static_cast<double>(random() % 1000) / 1000.0) * lattice_size;
    const Eigen::Vector3d at = p.normalized() * length / grid;
    scene.positions.push_back((at.array().round().cast<int>() * grid + lattice_size / 2).matrix());
  }
  return scene;
}

}  // namespace gvbind::test
