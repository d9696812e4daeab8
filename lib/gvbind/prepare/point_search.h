#pragma once

// Tested by tests/unit/gvbind/falloff_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/base/morton.h"

namespace gvbind {

/// Nearest-point queries on lattice points. Keeps a reference to `points`. Queries may run in
/// parallel.
class PointSearch {
 public:
  /// `among`: indices of the points to search.
  PointSearch(std::span<const Eigen::Vector3i> points, std::span<const std::uint32_t> among);

  /// Index of the nearest point, the lowest of several. `among` must not be empty.
  std::uint32_t nearest(const Eigen::Vector3i& from) const;

 private:
  std::span<const Eigen::Vector3i> points_;
  std::vector<MortonCode> codes_;  ///< ascending
  std::vector<std::uint32_t> indices_;
};

}  // namespace gvbind
