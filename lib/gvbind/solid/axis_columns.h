#pragma once

// Tested by tests/unit/gvbind/column_voxelizer_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <utility>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// A view axis w and the axes u < v of its image.
struct ColumnAxes {
  int u, v, w;
};

/// A column's crossing with a face at depth step + part / |n_w|, 0 <= part < |n_w|.
struct ColumnCrossing {
  std::int32_t step;
  std::uint32_t triangle;
};

/// The plane of a face: n . (p - corner) = 0, on the lattice.
struct FacePlane {
  std::int64_t n[3];
  std::int64_t corner[3];
};

/// Faces crossed by each column of voxels along an axis, sorted by depth.
class AxisColumns {
 public:
  AxisColumns(const LatticeMesh& mesh, int resolution, int axis);

  bool is_empty(int row) const {
    return first_[column_of(row, 0)] == first_[column_of(row + 1, 0)];
  }
  /// Calls run(column, begin, end) for the voxels that either view sees as inside, for the columns
  /// of a row.
  template <class Run>
  void sweep_row(int row, bool plus, bool minus, const Run& run) const;

 private:
  std::size_t column_of(int row, int column) const {
    return static_cast<std::size_t>(row) * resolution_ + column;
  }
  std::int64_t center(int k) const { return (static_cast<std::int64_t>(k) << shift_) + half_; }
  /// First voxel center at or after a lattice coordinate.
  int first_center(std::int64_t q) const {
    return static_cast<int>((q - half_ + (std::int64_t{1} << shift_) - 1) >> shift_);
  }
  int last_center(std::int64_t q) const { return static_cast<int>((q - half_) >> shift_); }

  FacePlane plane_of(std::uint32_t triangle) const;
  template <class Cover>
  void rasterize(std::uint32_t triangle, const Cover& cover) const;
  void collect();
  /// step and part of the face's depth in a column.
  std::pair<std::int64_t, std::int64_t> depth(const FacePlane& f, int column, int row) const;
  int compare(const ColumnCrossing& a, const ColumnCrossing& b, int column, int row) const;
  int centers_below(const ColumnCrossing& crossing, int column, int row) const;
  void sweep_column(int column, int row, bool plus, bool minus, std::vector<int>& runs) const;

  const LatticeMesh& mesh_;
  int resolution_;
  ColumnAxes axes_;
  int shift_, half_;
  std::vector<std::uint32_t> first_;  ///< by column, row by row
  std::vector<ColumnCrossing> crossings_;
};

template <class Run>
void AxisColumns::sweep_row(int row, bool plus, bool minus, const Run& run) const {
  if (is_empty(row)) return;
  std::vector<int> runs;
  for (int column = 0; column < resolution_; ++column) {
    if (first_[column_of(row, column)] == first_[column_of(row, column) + 1]) continue;
    sweep_column(column, row, plus, minus, runs);
    for (std::size_t r = 0; r < runs.size(); r += 2) run(column, runs[r], runs[r + 1]);
  }
}

}  // namespace gvbind
