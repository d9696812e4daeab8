#include "gvbind/solid/boundary_voxels.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <atomic>

#include "gvbind/base/morton.h"
#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

using Vector3l = Eigen::Matrix<std::int64_t, 3, 1>;

/// Precomputed terms of the separating axes of one triangle. All values stay below 2^63: edges
/// below 2^21, components of the normal below 2^42, their products with lattice points below 2^62.
class ExactTriangle {
 public:
  ExactTriangle(const Eigen::Vector3i& a, const Eigen::Vector3i& b, const Eigen::Vector3i& c)
      : low_(a.cwiseMin(b).cwiseMin(c)), high_(a.cwiseMax(b).cwiseMax(c)) {
    corner_[0] = a.cast<std::int64_t>();
    corner_[1] = b.cast<std::int64_t>();
    corner_[2] = c.cast<std::int64_t>();
    for (int i = 0; i < 3; ++i) edge_[i] = corner_[(i + 1) % 3] - corner_[i];
    normal_ = edge_[0].cross(edge_[1]);
  }

  const Eigen::Vector3i& low() const { return low_; }
  const Eigen::Vector3i& high() const { return high_; }

  bool meets(const Eigen::Vector3i& low, const Eigen::Vector3i& high) const {
    if ((low_.array() > high.array()).any() || (high_.array() < low.array()).any()) return false;
    const Vector3l box_low = low.cast<std::int64_t>(), box_high = high.cast<std::int64_t>();
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        if (separated_by_edge(i, k, box_low, box_high)) return false;
    return !separated_by_plane(box_low, box_high);
  }

 private:
  /// The axis edge i x unit k, as an edge function in the plane across k.
  bool separated_by_edge(int i, int k, const Vector3l& low, const Vector3l& high) const {
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    const std::int64_t du = edge_[i][u], dv = edge_[i][v];
    const Vector3l& from = corner_[i];
    const Vector3l& other = corner_[(i + 2) % 3];
    const std::int64_t third = du * (other[v] - from[v]) - dv * (other[u] - from[u]);
    const std::int64_t least =
        du * ((du > 0 ? low : high)[v] - from[v]) - dv * ((dv > 0 ? high : low)[u] - from[u]);
    const std::int64_t most =
        du * ((du > 0 ? high : low)[v] - from[v]) - dv * ((dv > 0 ? low : high)[u] - from[u]);
    return most < std::min<std::int64_t>(0, third) || least > std::max<std::int64_t>(0, third);
  }

  bool separated_by_plane(const Vector3l& low, const Vector3l& high) const {
    Vector3l least, most;
    for (int k = 0; k < 3; ++k) {
      least[k] = (normal_[k] > 0 ? low : high)[k];
      most[k] = (normal_[k] > 0 ? high : low)[k];
    }
    return normal_.dot(most - corner_[0]) < 0 || normal_.dot(least - corner_[0]) > 0;
  }

  Eigen::Vector3i low_, high_;
  Vector3l corner_[3], edge_[3], normal_;
};

/// Voxels are closed: a point on a face belongs to the voxels on both sides.
struct VoxelSpan {
  Eigen::Vector3i first, last;
};

VoxelSpan span_of(const Eigen::Vector3i& low, const Eigen::Vector3i& high, int shift) {
  VoxelSpan span;
  for (int k = 0; k < 3; ++k) {
    span.first[k] = std::max((low[k] - 1) >> shift, 0);
    span.last[k] = std::min(high[k] >> shift, (lattice_size >> shift) - 1);
  }
  return span;
}

/// Calls mark(x, y, z) for each voxel of side 2^shift that the triangle meets inside the cell of
/// side 2^level.
template <class Mark>
void descend(const ExactTriangle& triangle, const Eigen::Vector3i& cell, int level, int shift,
             const Mark& mark) {
  const Eigen::Vector3i low = cell * (1 << level);
  if (!triangle.meets(low, low.array() + (1 << level))) return;
  if (level == shift) {
    mark(cell.x(), cell.y(), cell.z());
    return;
  }
  for (int i = 0; i < 8; ++i)
    descend(triangle, cell * 2 + Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2), level - 1, shift,
            mark);
}

template <class Mark>
void visit_voxels(const ExactTriangle& triangle, int shift, const Mark& mark) {
  const VoxelSpan fine = span_of(triangle.low(), triangle.high(), shift);
  const Eigen::Vector3i extent = fine.last - fine.first;
  // A triangle is connected, so in a single row of cells it meets every cell that its box spans.
  const bool single_file = (extent.array() > 0).count() <= 1;
  int level = shift;
  while (level < lattice_bits && (extent.maxCoeff() >> (level - shift)) > 2) ++level;
  const VoxelSpan span = span_of(triangle.low(), triangle.high(), level);
  for (int z = span.first.z(); z <= span.last.z(); ++z)
    for (int y = span.first.y(); y <= span.last.y(); ++y)
      for (int x = span.first.x(); x <= span.last.x(); ++x)
        if (single_file && level == shift)
          mark(x, y, z);
        else
          descend(triangle, {x, y, z}, level, shift, mark);
}

}  // namespace

bool triangle_meets_box(const Eigen::Vector3i& a, const Eigen::Vector3i& b,
                        const Eigen::Vector3i& c, const Eigen::Vector3i& low,
                        const Eigen::Vector3i& high) {
  return ExactTriangle(a, b, c).meets(low, high);
}

BitGrid boundary_voxels(const LatticeMesh& mesh, int resolution) {
  BitGrid grid(resolution, Pages::large);  // written all over in random order
  const int shift = voxel_shift(resolution);
  const auto mark = [&](int x, int y, int z) {
    std::atomic_ref<std::uint64_t> word(grid.words[grid.word_index(x, y, z)]);
    const std::uint64_t bit = std::uint64_t{1} << (x & 63);
    // Many triangles meet the same voxel, and a read is cheaper than a locked write.
    if (!(word.load(std::memory_order_relaxed) & bit))
      word.fetch_or(bit, std::memory_order_relaxed);
  };
  parallel_for(mesh.triangles.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle& i = mesh.triangles[t];
      visit_voxels(ExactTriangle(mesh.positions[i[0]], mesh.positions[i[1]], mesh.positions[i[2]]),
                   shift, mark);
    }
  });
  return grid;
}

BoneVoxels bone_voxels(const LatticeBones& bones, int resolution) {
  BoneVoxels voxels(bones.size());
  const int shift = voxel_shift(resolution);
  parallel_for(bones.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::vector<MortonCode>& codes = voxels[i];
      for (const LatticeSegment& s : bones[i])
        visit_voxels(ExactTriangle(s.a, s.b, s.b), shift,
                     [&](int x, int y, int z) { codes.push_back(morton_code(x, y, z)); });
      std::sort(codes.begin(), codes.end());
      codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    }
  });
  return voxels;
}

}  // namespace gvbind
