#include "gvbind/solid/primitive_voxels.h"

#include <catch2/catch.hpp>
#include <mutex>
#include <random>

using namespace gvbind;

namespace {

const UnitCube cube{{0.3, -0.2, 1.0}, lattice_size / 4.0};

/// The center of a voxel, from its definition.
Eigen::Vector3d center_of(int x, int y, int z, int resolution) {
  const double side = voxel_size(resolution);
  return cube.to_bind({(x + 0.5) * side, (y + 0.5) * side, (z + 0.5) * side});
}

BitGrid painted(const Primitive& primitive, int resolution) {
  BitGrid grid(resolution);
  std::mutex guard;
  visit_voxels(primitive, cube, resolution, [&](const VoxelRun& run) {
    const std::lock_guard lock(guard);
    const std::size_t row = grid.word_index(0, run.y, run.z);
    for (int w = 0; w < grid.words_per_row; ++w)
      grid.words[row + static_cast<std::size_t>(w)] |= run_mask(run, w);
  });
  return grid;
}

}  // namespace

TEST_CASE("a primitive's voxels are those whose centers it holds", "[slow]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> coordinate(-2.0, 2.0), length(0.02, 1.0);
  const auto point = [&] {
    return Eigen::Vector3d(
        cube.center + Eigen::Vector3d(coordinate(random), coordinate(random), coordinate(random)));
  };
  const Primitive::Kind kinds[] = {Primitive::Kind::sphere, Primitive::Kind::capsule,
                                   Primitive::Kind::box, Primitive::Kind::half_space};
  for (const int r : {16, 128})
    for (const Primitive::Kind kind : kinds)
      for (int i = 0; i < 6; ++i) {
        Primitive p{kind, point(), point(), length(random)};
        p.frame.rotate(Eigen::AngleAxisd(0.3 * i, Eigen::Vector3d(1, 1, 0).normalized()));
        const BitGrid grid = painted(p, r);
        std::size_t wrong = 0;
        for (int z = 0; z < r; ++z)
          for (int y = 0; y < r; ++y)
            for (int x = 0; x < r; ++x)
              wrong += grid.test(x, y, z) != (distance_to(p, center_of(x, y, z, r)) <= 0.0);
        CHECK(wrong == 0);
      }
}

TEST_CASE("a primitive outside the grid has no voxel there") {
  for (const double far : {100.0, 1e9}) {
    CHECK(voxels_within({Primitive::Kind::sphere, {far, 0, 0}, {0, 0, 0}, 1.0}, cube, BitGrid(64))
              .empty());
    CHECK(voxels_within({Primitive::Kind::box, {far, -far, -far}, {2 * far, far, far}}, cube,
                        BitGrid(64))
              .empty());
  }
}

TEST_CASE("a point has the voxel that holds it, if that is set") {
  BitGrid grid(32);
  const Primitive point{Primitive::Kind::sphere,
                        center_of(3, 9, 30, 32) + Eigen::Vector3d(1e-3, 2e-3, 0)};
  CHECK(voxels_within(point, cube, grid).empty());
  grid.set(3, 9, 30);
  CHECK(voxels_within(point, cube, grid) == std::vector<MortonCode>{morton_code(3, 9, 30)});
}
