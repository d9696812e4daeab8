#include "egl/slab_passes.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "egl/reference.h"

namespace gvbind {
namespace {

egl::PassLimits limits_of(int side, std::size_t pixels) {
  egl::PassLimits limits;
  limits.side = side;
  limits.pixels = pixels;
  return limits;
}

TEST_CASE("tiles cover an image once", "[egl]") {
  const egl::PixelRect image =
      GENERATE(egl::PixelRect{64, 3, 130, 20}, egl::PixelRect{0, 0, 16, 16},
               egl::PixelRect{0, 100, 512, 300}, egl::PixelRect{1984, 2047, 64, 1});
  const egl::PassLimits limits =
      GENERATE(limits_of(64, 1 << 22), limits_of(100, 500), limits_of(4096, 1000),
               limits_of(4096, 1), egl::PassLimits{});
  std::map<std::pair<int, int>, int> covered;
  for (const egl::PixelRect& tile : egl::tiles_of(image, limits)) {
    CHECK(tile.left % 64 == 0);
    CHECK(tile.width <= limits.side);
    CHECK(tile.height <= limits.side);
    // Rows are never split.
    if (tile.height > 1) CHECK(std::size_t(tile.width) * tile.height <= limits.pixels);
    for (int v = tile.bottom; v < tile.bottom + tile.height; ++v)
      for (int u = tile.left; u < tile.left + tile.width; ++u) ++covered[{u, v}];
  }
  CHECK(covered.size() == std::size_t(image.width) * image.height);
  int wrong = 0;
  for (const auto& [pixel, times] : covered)
    wrong += times != 1 || pixel.first < image.left || pixel.second < image.bottom ||
             pixel.first >= image.left + image.width || pixel.second >= image.bottom + image.height;
  CHECK(wrong == 0);
}

TEST_CASE("an image that fits is one tile", "[egl]") {
  CHECK(egl::tiles_of({64, 3, 130, 20}, {}).size() == 1);
  CHECK(egl::tiles_of({0, 0, 2048, 2048}, {}).size() == 1);
}

egl::SlabPlan random_plan(int resolution, int axis) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> place(0, lattice_size),
      near(-lattice_size / 10, lattice_size / 10);
  test::UnitScene scene;
  for (std::uint32_t i = 0; i < 600; i += 3) {
    const Eigen::Vector3i corner(place(random), place(random), place(random));
    for (int k = 0; k < 3; ++k)
      scene.positions.push_back((corner + Eigen::Vector3i(near(random), near(random), near(random)))
                                    .cwiseMax(0)
                                    .cwiseMin(lattice_size));
    scene.triangles.push_back({i, i + 1, i + 2});
  }
  scene.triangles.push_back({0, 300, 590});  // spans many slabs
  return egl::plan_slabs(scene, resolution, axis);
}

TEST_CASE("each slab has the faces that meet it and no other", "[egl]") {
  const int r = GENERATE(16, 256, 2048), axis = GENERATE(0, 1, 2);
  const std::size_t most = GENERATE(1u, 100u, 1u << 26);
  const egl::SlabPlan plan = random_plan(r, axis);
  REQUIRE(plan.facets.size() > 20);
  const egl::PixelRect half{plan.image.left, plan.image.bottom, plan.image.width,
                            plan.image.height / 2};
  for (const egl::PixelRect& tile : {plan.image, half}) {
    int next = plan.first_slab, wrong = 0;
    const std::vector<egl::SlabRange> ranges = egl::split_slabs(plan, tile, most);
    if (most > 1u << 20) CHECK(ranges.size() == 1);
    for (const egl::SlabRange range : ranges) {
      CHECK(range.first == next);
      CHECK(range.last >= range.first);
      next = range.last + 1;
      const egl::SlabIndices sorted = egl::sort_into_slabs(plan, tile, range);
      if (range.last > range.first) CHECK(sorted.indices.size() <= most);
      REQUIRE(sorted.seeds.size() == std::size_t(range.last - range.first + 1) * 2 + 1);
      for (int slab = range.first; slab <= range.last; ++slab)
        for (const bool along : {true, false}) {
          std::multiset<std::uint32_t> expected, found;
          for (const egl::SlabFacet& f : plan.facets)
            if (f.along == along && f.first_slab <= slab && slab <= f.last_slab &&
                f.bottom < tile.bottom + tile.height && f.top >= tile.bottom)
              for (std::uint32_t k = 0; k < 3; ++k) expected.insert(f.vertex + k);
          const std::size_t list = std::size_t(slab - range.first) * 2 + (along ? 0 : 1);
          for (std::size_t i = sorted.seeds[list]; i < sorted.seeds[list + 1]; ++i)
            found.insert(sorted.indices[i]);
          wrong += found != expected;
        }
    }
    CHECK(next == plan.last_slab + 1);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a plan's image and slabs hold all its faces", "[egl]") {
  const int r = GENERATE(16, 2048), axis = GENERATE(0, 1, 2);
  const egl::SlabPlan plan = random_plan(r, axis);
  int outside = 0;
  for (const egl::SlabFacet& f : plan.facets) {
    outside += f.left < plan.image.left || f.right >= plan.image.left + plan.image.width;
    outside += f.bottom < plan.image.bottom || f.top >= plan.image.bottom + plan.image.height;
    outside += f.first_slab < plan.first_slab || f.last_slab > plan.last_slab;
    for (std::uint32_t k = 0; k < 3; ++k) {
      // A pixel can only be covered if its center is within the bounds of the corners.
      const egl::SlabVertex& corner = plan.vertices[f.vertex + k];
      outside += corner.u < f.left * egl::voxel_steps - egl::voxel_steps / 2.0 ||
                 corner.u > f.right * egl::voxel_steps + egl::voxel_steps * 1.5;
    }
  }
  CHECK(outside == 0);
  CHECK(plan.last_slab <= r);
  CHECK(plan.first_slice + plan.slice_groups * 128 >= std::min(plan.last_slab + 1, r));
}

}  // namespace
}  // namespace gvbind
