#include "check/surface_links.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "support/shapes.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;

constexpr double infinite = std::numeric_limits<double>::infinity();

check::SurfaceLinks linked(const std::vector<Vector3d>& positions,
                           const std::vector<Triangle>& triangles, double reach) {
  return check::link_surface(positions, check::unique_edges(positions.size(), triangles), reach);
}

/// All shortest paths by Floyd-Warshall.
std::vector<std::vector<double>> all_ways(const check::SurfaceLinks& links) {
  const std::size_t count = links.first.size() - 1;
  std::vector<std::vector<double>> way(count, std::vector<double>(count, infinite));
  for (std::size_t v = 0; v < count; ++v) {
    way[v][v] = 0.0;
    for (std::size_t k = links.first[v]; k < links.first[v + 1]; ++k)
      way[v][links.to[k]] = std::min(way[v][links.to[k]], links.length[k]);
  }
  for (std::size_t by = 0; by < count; ++by)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        way[a][b] = std::min(way[a][b], way[a][by] + way[by][b]);
  return way;
}

}  // namespace

TEST_CASE("walks find the shortest ways") {
  const test::Shape shape = test::capsule({0, 0, 0}, {1, 2, 0.5}, 0.3, 8, 6);
  const check::SurfaceLinks links = linked(shape.positions, shape.triangles, 0.01);
  const auto expected = all_ways(links);
  for (const std::uint32_t start : {0u, 7u, 30u}) {
    const check::SurfaceWalk walk = check::walk_surface(links, std::vector{start}, infinite);
    for (std::size_t v = 0; v < shape.positions.size(); ++v) {
      CHECK(walk.distance[v] == Approx(expected[start][v]).margin(1e-12));
      CHECK(walk.nearest[v] == start);
    }
  }
}

TEST_CASE("a walk goes no farther than its bound and knows the nearest start") {
  const test::Shape shape = test::capsule({0, 0, 0}, {4, 0, 0}, 0.1, 6, 40);
  const check::SurfaceLinks links = linked(shape.positions, shape.triangles, 0.01);
  const auto last = static_cast<std::uint32_t>(shape.positions.size() - 1);
  const check::SurfaceWalk walk = check::walk_surface(links, std::vector{0u, last}, 1.0);
  for (std::size_t v = 0; v < shape.positions.size(); ++v) {
    const double x = shape.positions[v].x();
    if (x > 1.2 && x < 2.8) CHECK(walk.distance[v] == infinite);
    if (x < 0.7) CHECK(walk.nearest[v] == 0u);
    if (x > 3.3) CHECK(walk.nearest[v] == last);
    CHECK((walk.distance[v] <= 1.0 || walk.distance[v] == infinite));
  }
}

TEST_CASE("vertices at one place are one place") {
  const std::vector<Vector3d> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                           {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const check::SurfaceLinks links =
      linked(positions, std::vector<Triangle>{{0, 1, 2}, {3, 5, 4}}, 0.0);
  const check::SurfaceWalk walk = check::walk_surface(links, std::vector{0u}, infinite);
  CHECK(walk.distance[3] == 1.0);
  CHECK(walk.distance[5] == 2.0);
}

TEST_CASE("parts are joined where they come nearest") {
  test::Shape shape = test::box({0, 0, 0}, {1, 1, 1});
  shape.append(test::box({3, 0, 0}, {4, 1, 1}));
  shape.append(test::box({4.5, 0, 0}, {5, 1, 1}));
  const check::SurfaceLinks links = linked(shape.positions, shape.triangles, 0.01);
  const check::SurfaceWalk walk =
      check::walk_surface(links, std::vector{1u}, infinite);  // (1, 0, 0)
  for (std::size_t v = 0; v < shape.positions.size(); ++v) {
    CHECK(walk.distance[v] < infinite);
    CHECK(walk.distance[v] >= (shape.positions[v] - shape.positions[1]).norm() - 1e-12);
  }
  // There is one bridge per pair of parts, no longer than the gaps of 2 and 0.5.
  CHECK(walk.distance[8] <= 2.0 + std::sqrt(2.0) * 2 + 1e-12);
}

TEST_CASE("a sheet near another is joined to it everywhere, one far away is not") {
  const auto sheet = [](double z) {
    test::Shape s;
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 5; ++x) s.positions.emplace_back(x, y, z);
    for (std::uint32_t y = 0; y < 4; ++y)
      for (std::uint32_t x = 0; x < 4; ++x) {
        s.triangles.push_back({5 * y + x, 5 * y + x + 1, 5 * y + x + 6});
        s.triangles.push_back({5 * y + x, 5 * y + x + 6, 5 * y + x + 5});
      }
    return s;
  };
  for (const bool near : {true, false}) {
    test::Shape shape = sheet(0.0);
    shape.append(sheet(near ? 0.5 : 3.0));
    const check::SurfaceLinks links = linked(shape.positions, shape.triangles, 2.0);
    std::size_t bridges = 0;
    for (std::uint32_t v = 0; v < 25; ++v)
      for (std::size_t k = links.first[v]; k < links.first[v + 1]; ++k)
        bridges += links.to[k] >= 25;
    // Where the sheets are close, each of their vertices has a bridge.
    CHECK(bridges == (near ? 50u : 1u));
  }
}

TEST_CASE("two dense parts far from each other are joined once, and soon") {
  std::vector<Vector3d> positions;
  std::vector<check::SurfaceEdge> edges;
  for (int i = 0; i < 200000; ++i) {
    positions.emplace_back(i % 500 * 0.001 + (i < 100000 ? 0.0 : 100.0), i / 500 % 200 * 0.001, 0);
    if (i % 100000 != 0)
      edges.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i)});
  }
  positions.emplace_back(1e9, 0, 0);
  CHECK(check::link_surface(positions, edges, 0.01).to.size() == 2 * (edges.size() + 2));
}

TEST_CASE("vertices that are not finite stay isolated") {
  std::vector<Vector3d> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  positions.emplace_back(NAN, 0, 0);
  positions.emplace_back(0, 5, 0);
  const check::SurfaceLinks links = linked(positions, std::vector<Triangle>{{0, 1, 2}}, 0.1);
  const check::SurfaceWalk walk = check::walk_surface(links, std::vector{0u}, infinite);
  CHECK(walk.distance[3] == infinite);
  CHECK(walk.distance[4] == Approx(5.0));
  CHECK(check::walk_surface(check::link_surface({}, {}, 1.0), {}, 1.0).distance.empty());
  // Comparing all pairs would take far too long.
  std::vector<Vector3d> heap(600000, Vector3d(1, 1, 1));
  CHECK(
      check::walk_surface(check::link_surface(heap, {}, 1.0), std::vector{0u}, 1.0).distance[99] ==
      0.0);
  heap.emplace_back(2, 1, 1);
  const check::SurfaceLinks joined = check::link_surface(heap, {}, 1.0);
  CHECK(joined.to.size() == 2 * (heap.size() - 1));
  CHECK(check::walk_surface(joined, std::vector{7u}, 2.0).distance.back() == 1.0);
}

}  // namespace gvbind
