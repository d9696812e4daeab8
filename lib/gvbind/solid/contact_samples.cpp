#include "gvbind/solid/contact_samples.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

// In voxels. The voxels of a flat surface end before `beyond`.
constexpr double spacing = 0.75, beyond = 1.9;
constexpr std::size_t triangles_per_block = 1024;

/// Samples of one cell are sorted by triangle.
bool in_order(const Sample& a, const Sample& b) {
  return std::tie(a.cell, a.triangle, a.number) < std::tie(b.cell, b.triangle, b.number);
}

double area_and_normal(const LatticeMesh& mesh, const Triangle& t, Eigen::Vector3d& normal) {
  const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
  normal = (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a);
  const double area = normal.norm();
  if (area > 0.0) normal /= area;
  return area;
}

/// Points at most `step` apart along the side at corner `base` and across it.
template <class Visit>
void visit_rows(const Eigen::Vector3d (&corner)[3], int base, double step, const Visit& visit) {
  const Eigen::Vector3d &a = corner[base], &b = corner[(base + 1) % 3],
                        &top = corner[(base + 2) % 3];
  const double height = (b - a).cross(top - a).norm() / (b - a).norm();
  const int rows = std::max(1, static_cast<int>(std::ceil(height / step)));
  for (int row = 0; row < rows; ++row) {
    const double up = (row + 0.5) / rows;
    const Eigen::Vector3d from = a + (top - a) * up, along = b + (top - b) * up - from;
    const int count = std::max(1, static_cast<int>(std::ceil(along.norm() / step)));
    for (int i = 0; i < count; ++i) visit(from + along * ((i + 0.5) / count));
  }
}

/// Points of a triangle in rows along its longest side. If several sides are longest, along each,
/// so that the points do not depend on the order of the corners. The area must not be zero.
template <class Visit>
void visit_points(const LatticeMesh& mesh, const Triangle& t, double step, const Visit& visit) {
  Eigen::Vector3d corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = mesh.positions[t[k]].cast<double>();
  double square[3];
  for (int k = 0; k < 3; ++k) square[k] = (corner[(k + 1) % 3] - corner[k]).squaredNorm();
  const double longest = *std::max_element(square, square + 3);
  for (int k = 0; k < 3; ++k)
    if (square[k] == longest) visit_rows(corner, k, step, visit);
}

/// Calls visit(sample) for the triangle's points without an exterior voxel in front.
template <class Visit>
void visit_samples(const LatticeMesh& mesh, std::size_t triangle, const Eigen::Vector3d& normal,
                   const Solid& solid, const VoxelPlaces& grid, const Visit& visit) {
  std::uint32_t number = 0;
  visit_points(
      mesh, mesh.triangles[triangle], spacing * grid.voxel(), [&](const Eigen::Vector3d& at) {
        if (!grid.test(solid.non_exterior, at + normal * beyond * grid.voxel())) return;
        if (const auto cell = grid.cell(at))
          visit(Sample{morton_code(*cell), at, static_cast<std::uint32_t>(triangle), number++});
      });
}

}  // namespace

// Two passes, count and fill, so that only the result needs memory.
Samples contact_samples(const LatticeMesh& mesh, const Solid& solid, const VoxelPlaces& grid) {
  Samples samples;
  samples.normals.resize(mesh.triangles.size(), Eigen::Vector3d::Zero());
  std::vector<std::size_t> first(
      (mesh.triangles.size() + triangles_per_block - 1) / triangles_per_block + 1);
  const auto over_block = [&](std::size_t b, const auto& visit) {
    const std::size_t last = std::min(mesh.triangles.size(), (b + 1) * triangles_per_block);
    for (std::size_t t = b * triangles_per_block; t < last; ++t)
      if (area_and_normal(mesh, mesh.triangles[t], samples.normals[t]) > 0.0)
        visit_samples(mesh, t, samples.normals[t], solid, grid, visit);
  };
  parallel_for(first.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      std::size_t count = 0;
      over_block(b, [&](const Sample&) { ++count; });
      first[b + 1] = count;
    }
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  samples.list.resize(first.back());
  parallel_for(first.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      Sample* to = samples.list.data() + first[b];
      if (first[b] < first[b + 1]) over_block(b, [&](const Sample& sample) { *to++ = sample; });
    }
  });
  std::ranges::sort(samples.list, in_order);
  return samples;
}

}  // namespace gvbind
