#include "gvbind/prepare/open_edges.h"

#include <catch2/catch.hpp>
#include <map>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A box without its upper side, 0.1 high.
Shape tray(double x) {
  Shape shape = box({x, 0, 0}, {x + 1, 1, 0.1});
  shape.triangles.erase(shape.triangles.begin() + 2, shape.triangles.begin() + 4);
  return shape;
}

/// Number of vertices where a different number of edges starts and ends; 0 for closed loops.
int unbalanced_vertices(const OpenLoops& loops) {
  std::map<std::uint32_t, int> balance;
  for (const OpenEdge& e : loops.edges) {
    balance[e.from] += static_cast<int>(e.surfaces);
    balance[e.to] -= static_cast<int>(e.surfaces);
  }
  int count = 0;
  for (const auto& [vertex, sum] : balance) count += sum != 0;
  return count;
}

}  // namespace

TEST_CASE("a closed mesh has no open edges") {
  CHECK(open_loops(unit_scene(box({0, 0, 0}, {1, 1, 1}))).count() == 0);
  const OpenLoops none = open_loops(unit_scene(turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5))));
  CHECK(none.count() == 0);
  CHECK(none.edges.empty());
}

TEST_CASE("vertices at one place are one vertex") {
  const Shape whole = tray(0);
  Shape torn;
  for (const Triangle& t : whole.triangles)
    for (int k = 0; k < 3; ++k) {
      torn.positions.push_back(whole.positions[t[k]]);
      if (k == 2) {
        const auto n = static_cast<std::uint32_t>(torn.positions.size());
        torn.triangles.push_back({n - 3, n - 2, n - 1});
      }
    }
  CHECK(open_loops(unit_scene(torn)).edges.size() == 4);
}

TEST_CASE("each hole is a loop, edge after edge") {
  Shape shape = tray(0);
  shape.append(tray(3));
  const OpenLoops loops = open_loops(unit_scene(shape));
  REQUIRE(loops.count() == 2);
  for (std::size_t l = 0; l < 2; ++l) {
    REQUIRE(loops.first[l + 1] - loops.first[l] == 4);
    for (std::uint32_t e = loops.first[l]; e < loops.first[l + 1]; ++e)
      CHECK(loops.edges[e].to ==
            loops.edges[e + 1 < loops.first[l + 1] ? e + 1 : loops.first[l]].from);
  }
}

TEST_CASE("edges run as their triangles do") {
  Shape sheet;
  sheet.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}};
  sheet.triangles = {{0, 1, 2}};
  const OpenLoops loops = open_loops(unit_scene(sheet));
  REQUIRE(loops.edges.size() == 3);
  for (const OpenEdge& e : loops.edges) CHECK(e.to == (e.from + 1) % 3);
}

TEST_CASE("surfaces that end at one edge are counted") {
  Shape twice = tray(0);
  twice.append(tray(0));
  const OpenLoops loops = open_loops(unit_scene(twice));
  REQUIRE(loops.edges.size() == 4);
  for (const OpenEdge& e : loops.edges) CHECK(e.surfaces == 2);
  // Placed back to back, they close each other.
  Shape back = tray(0);
  for (auto [a, b, c] : tray(0).triangles) back.triangles.push_back({c, b, a});
  CHECK(open_loops(unit_scene(back)).edges.empty());
}

TEST_CASE("where holes touch at a vertex as many edges begin as end") {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 24, 8));
  for (std::size_t i = shape.triangles.size(); i-- > 0;)
    if (i % 7 == 0) shape.triangles.erase(shape.triangles.begin() + static_cast<long>(i));
  const OpenLoops loops = open_loops(unit_scene(shape));
  CHECK(loops.edges.size() > 100);
  CHECK(unbalanced_vertices(loops) == 0);
  CHECK(loops.first.back() == loops.edges.size());
}

TEST_CASE("triangles without area close and open nothing") {
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.triangles.push_back({0, 0, 7});
  shape.triangles.push_back({3, 3, 3});
  CHECK(open_loops(unit_scene(shape)).edges.empty());
}
