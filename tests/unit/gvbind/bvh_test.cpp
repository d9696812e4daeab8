#include "gvbind/base/bvh.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace gvbind;

namespace {

using Box = Bvh::Box;

std::vector<Box> scattered(std::size_t count, int largest_side) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> place(0, 900'000), side(0, largest_side);
  std::vector<Box> boxes(count);
  for (Box& box : boxes) {
    const Eigen::Vector3d low(place(random), place(random), place(random));
    box = Box(low, low + Eigen::Vector3d(side(random), side(random), side(random)));
  }
  return boxes;
}

}  // namespace

TEST_CASE("a search by distance gives the result of a linear search") {
  std::vector<Box> boxes = scattered(700, 100'000);
  boxes[13] = Box();
  boxes[14] = boxes[15];
  const Bvh tree(boxes);
  for (const double bound : {0.0, 3'000.0, 50'000.0, std::numeric_limits<double>::infinity()})
    for (std::size_t from = 0; from < boxes.size(); from += 50) {
      std::vector<std::uint32_t> found, expected;
      tree.visit_near([&](const Box& box) { return boxes[from].exteriorDistance(box); }, bound,
                      [&](std::uint32_t i) { found.push_back(i); });
      for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (!boxes[i].isEmpty() && boxes[from].exteriorDistance(boxes[i]) <= bound)
          expected.push_back(i);
      std::sort(found.begin(), found.end());
      REQUIRE(found == expected);
    }
}

TEST_CASE("a search that lowers its bound looks at few of many boxes") {
  const std::vector<Box> boxes = scattered(200'000, 100);
  const Bvh tree(boxes);
  std::size_t looks = 0;
  for (std::size_t from = 0; from < boxes.size(); from += 1000) {
    double least = std::numeric_limits<double>::infinity();
    tree.visit_near(
        [&](const Box& box) {
          ++looks;
          return boxes[from].exteriorDistance(box);
        },
        least,
        [&](std::uint32_t i) {
          if (i != from) least = std::min(least, boxes[from].exteriorDistance(boxes[i]));
        });
    CHECK(least < 100'000);
  }
  CHECK(looks / 200 < 1000);
}

TEST_CASE("no boxes, and none but empty ones, give nothing") {
  const std::vector<Box> empty(20);
  for (const std::size_t count : {0u, 20u}) {
    const Bvh tree(std::span<const Box>(empty).first(count));
    std::size_t visits = 0;
    tree.visit_near([](const Box&) { return 0.0; }, 1.0, [&](std::uint32_t) { ++visits; });
    CHECK(visits == 0);
  }
}
