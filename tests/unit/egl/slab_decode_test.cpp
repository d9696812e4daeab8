#include "egl/slab_decode.h"

#include <catch2/catch.hpp>
#include <random>

namespace gvbind {
namespace {

egl::SlabPlan plan_of(int axis, int r, int left, int bottom, int width, int height, int first_slice,
                      int groups) {
  egl::SlabPlan plan;
  plan.axis = axis;
  plan.resolution = r;
  plan.image = {left, bottom, width, height};
  plan.first_slice = first_slice;
  plan.slice_groups = groups;
  return plan;
}

bool at(const BitGrid& grid, int axis, int u, int v, int k) {
  return axis == 0 ? grid.test(k, u, v) : axis == 1 ? grid.test(u, k, v) : grid.test(u, v, k);
}

TEST_CASE("pixels of slices become the grid's bits", "[egl]") {
  const int axis = GENERATE(0, 1, 2);
  const auto [plan, name] = GENERATE_COPY(table<egl::SlabPlan, const char*>(
      {{plan_of(axis, 256, 64, 3, 130, 20, 64, 2), "part of a grid"},
       {plan_of(axis, 16, 0, 0, 16, 16, 0, 1), "fewer slices than a word"},
       {plan_of(axis, 128, 0, 100, 128, 28, 0, 1), "whole words"},
       {plan_of(axis, 64, 0, 5, 1, 1, 0, 1), "one pixel"}}));
  std::mt19937_64 random(5);
  std::vector<std::vector<egl::SliceBits>> groups(static_cast<std::size_t>(plan.slice_groups));
  BitGrid grid(plan.resolution);
  for (int g = 0; g < plan.slice_groups; ++g) {
    groups[g].resize(static_cast<std::size_t>(plan.image.width * plan.image.height));
    for (egl::SliceBits& bits : groups[g])
      for (std::uint64_t& word : bits) word = random() & random();
    egl::decode_group(plan, plan.image, g, groups[g], grid);
  }
  int wrong = 0;
  for (int v = 0; v < plan.resolution; ++v)
    for (int u = 0; u < plan.resolution; ++u)
      for (int k = 0; k < plan.resolution; ++k) {
        const int x = u - plan.image.left, y = v - plan.image.bottom, bit = k - plan.first_slice;
        bool expected = false;
        if (x >= 0 && x < plan.image.width && y >= 0 && y < plan.image.height && bit >= 0 &&
            bit < 128 * plan.slice_groups)
          expected =
              (groups[bit / 128][y * plan.image.width + x][bit % 128 / 64] >> (bit % 64)) & 1u;
        wrong += at(grid, axis, u, v, k) != expected;
      }
  INFO(name << ", axis " << axis);
  CHECK(wrong == 0);
}

TEST_CASE("the outermost slices reach the cube's sides", "[egl]") {
  const int axis = GENERATE(0, 1, 2);
  const egl::SlabPlan plan = plan_of(axis, 256, 64, 10, 70, 9, 64, 1);
  std::mt19937_64 random(6);
  std::vector<egl::SliceBits> pixels(
      static_cast<std::size_t>(plan.image.width * plan.image.height));
  for (egl::SliceBits& bits : pixels)
    for (std::uint64_t& word : bits) word = random();
  BitGrid grid(256);
  egl::decode_group(plan, plan.image, 0, pixels, grid);
  const BitGrid before = grid;
  egl::extend_slices(plan, grid);
  int wrong = 0;
  for (int v = 0; v < 256; ++v)
    for (int u = 0; u < 256; ++u)
      for (int k = 0; k < 256; ++k)
        wrong += at(grid, axis, u, v, k) != at(before, axis, u, v, std::clamp(k, 64, 191));
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace gvbind
