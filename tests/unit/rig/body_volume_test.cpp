#include "rig/body_volume.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include "rig/bridge_parts.h"
#include "rig/depth_field.h"
#include "support/shapes.h"

namespace gvbind {

namespace {

using Cells = std::vector<Eigen::Vector3i>;

Cells box(const Eigen::Vector3i& low, const Eigen::Vector3i& size) {
  Cells cells;
  for (int z = 0; z < size.z(); ++z)
    for (int y = 0; y < size.y(); ++y)
      for (int x = 0; x < size.x(); ++x) cells.push_back(low + Eigen::Vector3i(x, y, z));
  return cells;
}

}  // namespace

TEST_CASE("depths are those to the nearest place outside, by comparison with all places") {
  const Eigen::Vector3i extent(9, 7, 8);
  std::mt19937 random(3);
  std::vector<bool> solid(static_cast<std::size_t>(extent.prod()));
  for (std::size_t i = 0; i < solid.size(); ++i) solid[i] = random() % 8 != 0;
  solid[0] = false;
  const auto place = [&](std::size_t i) {
    const int at = static_cast<int>(i);
    return Eigen::Vector3i(at % extent.x(), at / extent.x() % extent.y(),
                           at / extent.x() / extent.y());
  };
  const std::vector<std::int32_t> depths = rig::squared_depths(solid, extent);
  for (std::size_t i = 0; i < solid.size(); ++i) {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::size_t j = 0; j < solid.size(); ++j)
      if (!solid[j]) least = std::min(least, (place(i) - place(j)).squaredNorm());
    REQUIRE(depths[i] == least);
  }
}

TEST_CASE("parts with little air between them are joined, far ones left out") {
  Cells cells = box({10, 10, 10}, {6, 6, 6});
  const Cells near = box({20, 12, 12}, {3, 3, 3}), far = box({60, 10, 10}, {3, 3, 3});
  cells.insert(cells.end(), near.begin(), near.end());
  cells.insert(cells.end(), far.begin(), far.end());
  const Cells joined = rig::bridged_parts(cells, 8);
  CHECK(joined.size() == 216 + 27 + 4);  // with a line of four cells
  CHECK(rig::bridged_parts(cells, 3).size() == 216);
}

TEST_CASE("an arm that hangs beside a body at an even distance is bridged at its top") {
  Cells cells = box({10, 10, 10}, {10, 30, 6});
  for (const int x : {5, 22})  // two voxels of air
    for (const Eigen::Vector3i& cell : box({x, 12, 11}, {3, 20, 4})) cells.push_back(cell);
  const std::size_t parts = cells.size();
  const Cells joined = rig::bridged_parts(cells, 8);
  CHECK(joined.size() == parts + 4);
  for (const Eigen::Vector3i& cell : joined)
    if (cell.x() == 8 || cell.x() == 9 || cell.x() == 20 || cell.x() == 21) CHECK(cell.y() == 31);
}

TEST_CASE("a head above a body at an even distance is bridged in the middle") {
  Cells cells = box({10, 10, 10}, {11, 20, 9});
  for (const Eigen::Vector3i& cell : box({8, 33, 8}, {15, 10, 13})) cells.push_back(cell);
  const std::size_t parts = cells.size();
  const Cells joined = rig::bridged_parts(cells, 8);
  CHECK(joined.size() == parts + 3);
  for (const Eigen::Vector3i& cell : joined)
    if (cell.y() >= 30 && cell.y() < 33)
      CHECK(Eigen::Vector2i(cell.x(), cell.z()) == Eigen::Vector2i(15, 14));
}

TEST_CASE("parts above each other are one body, beside each other two") {
  test::Shape shape = test::box({-0.5, 1.0, -0.2}, {0.5, 2.0, 0.2});
  const auto add = [&](test::Shape& to, const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
    const test::Shape other = test::box(low, high);
    const auto base = static_cast<std::uint32_t>(to.positions.size());
    to.positions.insert(to.positions.end(), other.positions.begin(), other.positions.end());
    for (const Triangle& t : other.triangles)
      to.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  };
  test::Shape stacked = shape, beside = shape;
  // Further apart than parts that are joined in other bodies.
  add(stacked, {-0.4, -0.2, -0.2}, {0.4, 0.7, 0.2});
  add(beside, {0.8, 1.0, -0.2}, {1.8, 2.0, 0.2});
  const rig::BodyVolume body =
      rig::body_volume({stacked.positions, stacked.triangles}, {.resolution = 32});
  CHECK(body.extent.y() - 2 == 32);
  CHECK_THROWS_WITH(rig::body_volume({beside.positions, beside.triangles}, {.resolution = 32}),
                    Catch::Contains("2 bodies"));
  // A trunk between two arms that are larger than it and do not touch it.
  test::Shape pieces = test::box({-0.1, 0.0, -0.1}, {0.1, 2.0, 0.1});
  add(pieces, {0.2, 1.5, -0.2}, {1.2, 1.9, 0.2});
  add(pieces, {-1.2, 1.5, -0.2}, {-0.2, 1.9, 0.2});
  const rig::BodyVolume whole =
      rig::body_volume({pieces.positions, pieces.triangles}, {.resolution = 64});
  CHECK(whole.dropped == 0);
}

TEST_CASE(
    "a mesh and the same turned by right angles have the same voxels once it is turned back") {
  const test::Shape mesh = test::box({-0.31, 0.12, 0.4}, {0.52, 1.33, 0.97});
  Eigen::Matrix3d turn;
  turn << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  test::Shape other = mesh;
  for (Eigen::Vector3d& p : other.positions) p = turn * p;
  const rig::BodyVolume body =
      rig::body_volume({mesh.positions, mesh.triangles}, {.resolution = 32});
  const rig::BodyVolume back = rig::body_volume({other.positions, other.triangles},
                                                {.resolution = 32, .turn = turn.transpose()});
  CHECK(back.cells == body.cells);
  const Eigen::Vector3d place = body.to_bind({5.0, 6.5, 7.0});
  CHECK((back.to_bind({5.0, 6.5, 7.0}) - turn * place).norm() < 1e-12);
  CHECK((back.from_bind(turn * place) - Eigen::Vector3d(5.0, 6.5, 7.0)).norm() < 1e-9);
}

}  // namespace gvbind
