#include "gvbind/prepare/normalize.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Limits within which squares and volumes of lengths neither overflow nor vanish.
constexpr double min_extent = 1e-90, max_extent = 1e90;

struct Bounds {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = -low;

  void add(const Eigen::Vector3d& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
};

void check_finite(const Eigen::Vector3d& p, const char* what, std::size_t index) {
  if (!p.allFinite())
    throw Error(ErrorKind::cannot_bind,
                std::string(what) + " " + std::to_string(index) + ": its position is not finite");
}

void check_triangles(std::span<const Triangle> triangles, std::size_t vertices) {
  if (triangles.empty()) throw Error(ErrorKind::cannot_bind, "the mesh has no triangles");
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const std::uint32_t index : triangles[t])
      if (index >= vertices)
        throw Error(ErrorKind::cannot_bind, "triangle " + std::to_string(t) + ": vertex " +
                                                std::to_string(index) + " of " +
                                                std::to_string(vertices));
}

UnitCube cube_around(const Bounds& box) {
  const double extent = (box.high - box.low).maxCoeff();
  const double scale = (lattice_size - 2 * lattice_margin) / extent;
  if (!(extent >= min_extent && extent <= max_extent)) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", extent);
    throw Error(ErrorKind::cannot_bind,
                std::string("the box around mesh and joints has no usable extent (") + text + ")");
  }
  for (int k = 0; k < 3; ++k)
    if (!(box.high[k] > box.low[k]))
      throw Error(
          ErrorKind::cannot_bind,
          std::string("the box around mesh and joints is flat: no extent along ") + "xyz"[k]);
  UnitCube cube;
  cube.scale = scale;
  cube.center = box.low + (box.high - box.low) / 2.0;
  return cube;
}

}  // namespace

Eigen::Vector3i UnitCube::to_lattice(const Eigen::Vector3d& p) const {
  constexpr double far = 1 << 28;
  Eigen::Vector3i q;
  for (int k = 0; k < 3; ++k) {
    // Relative to the center, so that mirrored meshes give mirrored lattice points.
    const double step = std::round((p[k] - center[k]) * scale);
    q[k] = static_cast<int>(std::clamp(step, -far, far)) + lattice_size / 2;
  }
  return q;
}

UnitCube unit_cube(const MeshView& mesh, std::span<const JointBones> bones) {
  const auto& [positions, triangles] = mesh;
  check_triangles(triangles, positions.size());
  std::vector<bool> used(positions.size());
  for (const Triangle& t : triangles)
    for (const std::uint32_t v : t) used[v] = true;
  Bounds box;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    check_finite(positions[i], "vertex", i);
    if (used[i]) box.add(positions[i]);
  }
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (const Segment& segment : bones[i].segments) {
      for (const Eigen::Vector3d& end : {segment.a, segment.b}) {
        check_finite(end, "joint", i);
        box.add(end);
      }
    }
  return cube_around(box);
}

LatticeMesh lattice_mesh(const UnitCube& cube, const MeshView& mesh) {
  LatticeMesh lattice;
  lattice.positions.reserve(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    lattice.positions.push_back(cube.to_lattice(mesh.positions[i]));
  lattice.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  return lattice;
}

LatticeBones lattice_bones(const UnitCube& cube, std::span<const JointBones> bones) {
  LatticeBones lattice(bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (const Segment& s : bones[i].segments)
      lattice[i].push_back({cube.to_lattice(s.a), cube.to_lattice(s.b)});
  return lattice;
}

}  // namespace gvbind
