#include "gvbind/fitted/coarse_surface.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using namespace gvbind;

namespace {

/// Two sheets of 40 by 40 squares, closer than a cell of the coarsest grid that they need.
LatticeMesh two_sheets() {
  LatticeMesh mesh;
  constexpr int side = 41, step = lattice_size / 80;
  for (int sheet = 0; sheet < 2; ++sheet)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        mesh.positions.emplace_back(step * x + 7, step * y + 7, lattice_size / 2 + 100 * sheet);
  for (std::uint32_t sheet = 0; sheet < 2; ++sheet)
    for (std::uint32_t y = 0; y + 1 < side; ++y)
      for (std::uint32_t x = 0; x + 1 < side; ++x) {
        const std::uint32_t at = (sheet * side + y) * side + x;
        mesh.triangles.push_back({at, at + 1, at + side});
        mesh.triangles.push_back({at + 1, at + side + 1, at + side});
      }
  return mesh;
}

std::vector<std::uint32_t> each_its_own(const LatticeMesh& mesh) {
  std::vector<std::uint32_t> own(mesh.positions.size());
  for (std::uint32_t v = 0; v < own.size(); ++v) own[v] = v;
  return own;
}

}  // namespace

TEST_CASE("a surface with few places stays as it is") {
  const LatticeMesh mesh = two_sheets();
  const HeatSurface surface = coarse_surface(mesh, each_its_own(mesh), {}, mesh.positions.size());
  CHECK(surface.count() == mesh.positions.size());
  CHECK(surface.triangles.size() == mesh.triangles.size());
}

TEST_CASE("a coarse surface has no more places than asked, and its sheets stay apart") {
  const LatticeMesh mesh = two_sheets();
  for (const std::size_t most : {2000, 800, 200}) {
    const HeatSurface surface = coarse_surface(mesh, each_its_own(mesh), {}, most);
    CHECK(surface.count() <= most);
    CHECK(surface.count() > most / 8);
    std::vector<int> sheet(surface.count(), -1);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const int own = v < mesh.positions.size() / 2 ? 0 : 1;
      int& of_place = sheet[surface.place[v]];
      CHECK((of_place == -1 || of_place == own));
      of_place = own;
    }
    for (const Triangle& t : surface.triangles) CHECK(sheet[t[0]] == sheet[t[2]]);
  }
}

TEST_CASE("vertices of two meshes share no place of a coarse surface") {
  const LatticeMesh mesh = two_sheets();
  std::vector<std::uint32_t> part(mesh.positions.size(), 0);
  std::fill(part.begin() + 1681, part.end(), 1u);
  const HeatSurface surface = coarse_surface(mesh, each_its_own(mesh), part, 500);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::uint32_t corner : surface.triangles[t])
      CHECK((surface.position[corner].z() > 0.50005) == (surface.part[t] == 1));
}

TEST_CASE("the order of vertices does not change a coarse surface") {
  const LatticeMesh mesh = two_sheets();
  LatticeMesh turned = mesh;
  std::reverse(turned.positions.begin(), turned.positions.end());
  const auto last = static_cast<std::uint32_t>(mesh.positions.size() - 1);
  for (Triangle& t : turned.triangles)
    for (std::uint32_t& corner : t) corner = last - corner;
  const HeatSurface one = coarse_surface(mesh, each_its_own(mesh), {}, 500);
  const HeatSurface other = coarse_surface(turned, each_its_own(turned), {}, 500);
  REQUIRE(one.count() == other.count());
  for (std::uint32_t v = 0; v <= last; ++v)
    CHECK(one.position[one.place[v]] == other.position[other.place[last - v]]);
}

TEST_CASE("two-sided triangles stay two-sided on a coarse surface, in any order") {
  LatticeMesh mesh = two_sheets();
  const std::vector<Triangle> one_side = mesh.triangles;
  for (const Triangle& t : one_side) mesh.triangles.push_back({t[1], t[0], t[2]});
  for (const bool turned : {false, true}) {
    if (turned) std::reverse(mesh.triangles.begin(), mesh.triangles.end());
    const HeatSurface surface = coarse_surface(mesh, each_its_own(mesh), {}, 800);
    REQUIRE(surface.count() <= 800);
    for (const Eigen::Vector3d& normal : surface.normal) REQUIRE(normal.isZero());
  }
}
