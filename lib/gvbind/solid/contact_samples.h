#pragma once

// Tested by tests/unit/gvbind/contact_separation_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "gvbind/base/morton.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

/// Where the voxels of a grid lie.
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

/// A point of a surface that may touch another one.
struct Sample {
  MortonCode cell;
  Eigen::Vector3d at;  ///< lattice
  std::uint32_t triangle;
  std::uint32_t number;  ///< among the triangle's
};

/// Of the surface, by cell. There are millions.
struct Samples {
  std::vector<Sample> list;
  std::vector<Eigen::Vector3d> normals;  ///< of triangles: unit, or nothing where there is no area

  std::size_t size() const { return list.size(); }
  const Eigen::Vector3d& normal(const Sample& sample) const { return normals[sample.triangle]; }
};

/// Points of the surface, at most 0.75 voxels apart, in front of which there is no exterior voxel.
Samples contact_samples(const LatticeMesh& mesh, const Solid& solid, const VoxelPlaces& grid);

}  // namespace gvbind
