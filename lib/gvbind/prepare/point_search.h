#pragma once

// Tested by tests/unit/gvbind/falloff_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/base/morton.h"

namespace gvbind {

/// Finds the nearest of some lattice points. Keeps a reference to `points`. Queries may run in
/// parallel.
class PointSearch {
 public:
  /// `among`: indices of the points that count.
  PointSearch(std::span<const Eigen::Vector3i> points, std::span<const std::uint32_t> among);

  /// The index of the nearest point; ties go to the lowest. There must be one.
  std::uint32_t nearest(const Eigen::Vector3i& from) const;

 private:
  std::span<const Eigen::Vector3i> points_;
  std::vector<MortonCode> codes_;  ///< ascending
  std::vector<std::uint32_t> indices_;
};

}  // namespace gvbind
