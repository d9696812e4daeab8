#include "gvbind/fitted/path_hull.h"

#include <catch2/catch.hpp>
#include <random>

#include "gvbind/base/morton.h"
#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/volume/sparse_voxels.h"

using namespace gvbind;

namespace {

constexpr int resolution = 32, margin = 6;

/// A solid of a few boxes, and a few bones of one cell each, some of them in air.
struct Scattered {
  BitGrid solid{resolution};
  BoneVoxels bones;

  explicit Scattered(unsigned seed) {
    std::mt19937 dice(seed);
    const auto cell = [&](int bound) {
      return static_cast<int>(dice() % static_cast<unsigned>(bound));
    };
    for (int box = 0; box < 4; ++box) {
      const Eigen::Vector3i low(6 + cell(16), 6 + cell(16), 6 + cell(16));
      const Eigen::Vector3i size(1 + cell(5), 1 + cell(5), 1 + cell(5));
      for (int z = 0; z < size.z(); ++z)
        for (int y = 0; y < size.y(); ++y)
          for (int x = 0; x < size.x(); ++x) solid.set(low + Eigen::Vector3i(x, y, z));
      bones.push_back({morton_code(low.x(), low.y(), low.z())});
    }
    bones.push_back({morton_code(2 + cell(28), 2 + cell(28), 2 + cell(28))});
  }
};

/// Distances of all bones through the solid and the air, which costs `air_cost` times as much.
struct Walked {
  SparseVoxels voxels;
  DistanceField field;

  Walked(const Scattered& from, const BitGrid& space) {
    Solid all;
    all.non_exterior = space;
    all.boundary = BitGrid(resolution);
    for (std::size_t w = 0; w < space.words.size(); ++w)
      all.boundary.words[w] = space.words[w] & ~from.solid.words[w];
    voxels = sparse_voxels(std::move(all), from.bones, {.coarsest_cells = resolution});
    std::vector<Seed> seeds;
    for (std::uint32_t joint = 0; joint < from.bones.size(); ++joint)
      if (const std::uint32_t voxel = voxels.find(from.bones[joint].front()); voxel != no_voxel)
        seeds.push_back({voxel, make_label(0, joint)});
    field =
        geodesic_distances(voxels, seeds, from.bones.size(), {.penalty = 5.0, .max_influences = 4});
  }
};

}  // namespace

TEST_CASE("without the air beyond the hull, all other distances are the same") {
  std::size_t removed = 0, compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Scattered from(seed);
    const BitGrid air = dilated(from.solid, margin);
    BitGrid fewer = air;
    clear_beyond_hull(from.solid, from.bones, fewer);
    const Walked whole(from, air), part(from, fewer);
    removed += whole.voxels.size() - part.voxels.size();
    for (std::uint32_t v = 0; v < part.voxels.size(); ++v) {
      const std::uint32_t same = whole.voxels.find(part.voxels.leaves[v].code());
      REQUIRE(same != no_voxel);
      CHECK(std::ranges::equal(part.field.of(v), whole.field.of(same)));
      ++compared;
    }
  }
  CHECK(compared > 100'000);
  CHECK(removed > 40'000);
}

TEST_CASE("the hull keeps the solid, the bones that lie in air, and the neighbors of both") {
  const Scattered from(7);
  const BitGrid air = dilated(from.solid, margin);
  BitGrid fewer = air;
  clear_beyond_hull(from.solid, from.bones, fewer);
  const BitGrid near = dilated(from.solid, 1);
  for (std::size_t w = 0; w < air.words.size(); ++w) {
    CHECK((fewer.words[w] & ~air.words[w]) == 0);
    CHECK((near.words[w] & ~fewer.words[w]) == 0);
  }
  for (const std::vector<MortonCode>& bone : from.bones)
    CHECK(fewer.test(morton_cell(bone.front())) == air.test(morton_cell(bone.front())));
}
