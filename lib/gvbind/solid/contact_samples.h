#pragma once

// Tested by tests/unit/gvbind/contact_separation_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

/// Positions of the voxels of a grid.
class VoxelPlaces {
 public:
  explicit VoxelPlaces(int resolution) : resolution_(resolution), voxel_(voxel_size(resolution)) {}

  double voxel() const { return voxel_; }
  std::optional<Eigen::Vector3i> cell(const Eigen::Vector3d& at) const {
    const Eigen::Vector3i c = (at / voxel_).array().floor().cast<int>();
    if ((c.array() < 0).any() || (c.array() >= resolution_).any()) return std::nullopt;
    return c;
  }
  bool test(const BitGrid& grid, const Eigen::Vector3d& at) const {
    const auto c = cell(at);
    return c && grid.test(*c);
  }

 private:
  int resolution_;
  double voxel_;
};

/// A surface point that may touch another surface.
struct Sample {
  MortonCode cell;
  Eigen::Vector3d at;  ///< lattice
  std::uint32_t triangle;
  std::uint32_t number;  ///< index within the triangle
};

/// By cell. There can be millions.
struct Samples {
  std::vector<Sample> list;
  std::vector<Eigen::Vector3d> normals;  ///< by triangle: unit, or zero without area

  std::size_t size() const { return list.size(); }
  const Eigen::Vector3d& normal(const Sample& sample) const { return normals[sample.triangle]; }
};

/// Surface points, at most 0.75 voxels apart, without an exterior voxel in front.
Samples contact_samples(const LatticeMesh& mesh, const Solid& solid, const VoxelPlaces& grid);

}  // namespace gvbind
