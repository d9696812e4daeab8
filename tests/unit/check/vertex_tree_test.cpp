#include "check/surface_links.h"

#include <catch2/catch.hpp>
#include <random>

namespace gvbind {
namespace {

using Eigen::Vector3d;

check::NearVertex one_by_one(const std::vector<Vector3d>& positions,
                             const std::vector<std::uint32_t>& of,
                             const std::vector<std::uint32_t>& part, std::uint32_t from,
                             double bound) {
  check::NearVertex best{check::no_vertex, bound};
  for (const std::uint32_t v : of) {
    const double distance = (positions[v] - positions[from]).norm();
    if (part[v] != part[from] &&
        (distance < best.distance || (distance == best.distance && v < best.vertex)))
      best = {v, distance};
  }
  return best;
}

}  // namespace

TEST_CASE("the nearest vertex of another part is that of a search one by one") {
  std::mt19937 dice(1);
  // A lattice has many ties. One vertex is so far away that the others nearly coincide from there.
  std::vector<Vector3d> positions;
  for (int i = 0; i < 600; ++i)
    positions.emplace_back(i % 10, i / 10 % 10, i / 100 + 0.001 * static_cast<double>(dice() % 2));
  positions.emplace_back(1e12, 0, 0);
  std::vector<std::uint32_t> every;
  for (std::uint32_t v = 0; v < positions.size(); ++v)
    if (v % 7 != 3) every.push_back(v);
  check::VertexTree tree(positions, every);
  for (const std::uint32_t parts : {1u, 2u, 5u, 200u}) {
    std::vector<std::uint32_t> part(positions.size());
    for (std::uint32_t& p : part) p = static_cast<std::uint32_t>(dice() % parts);
    tree.set_parts(part);
    for (const double bound : {0.0, 1.0, 2.5, 1e300})
      for (std::uint32_t v = 0; v < positions.size(); v += 3) {
        const check::NearVertex near = tree.nearest_of_another_part(v, bound);
        const check::NearVertex expected = one_by_one(positions, every, part, v, bound);
        CHECK(near.vertex == expected.vertex);
        CHECK(near.distance == expected.distance);
      }
  }
}

TEST_CASE("a tree of no vertices finds none") {
  const std::vector<Vector3d> positions(3, Vector3d::Zero());
  check::VertexTree tree(positions, {});
  tree.set_parts({0, 1, 2});
  CHECK(tree.nearest_of_another_part(0, 1e300).vertex == check::no_vertex);
}

}  // namespace gvbind
