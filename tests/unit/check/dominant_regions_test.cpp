#include "check/dominant_regions.h"

#include <catch2/catch.hpp>

#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;

constexpr double branch = 0.04;

check::DominantRegions regions_of(const Scene& scene) {
  const check::SkinSurface surface = check::skin_surface(scene);
  const check::SkeletonGeometry skeleton(scene.joints);
  return check::find_dominant_regions(surface, skeleton,
                                      check::find_nearest_bones(surface, skeleton), branch);
}

}  // namespace

TEST_CASE("with sound weights every vertex is at region with its dominant joint") {
  const Scene scene = test::trousers();
  const check::SkinSurface surface = check::skin_surface(scene);
  const check::DominantRegions regions = regions_of(scene);
  CHECK(regions.own == surface.dominant);
  std::size_t at_home = 0;
  for (const auto& region : regions.region) at_home += region.size();
  CHECK(at_home == surface.vertex_count());
}

TEST_CASE("a stray patch belongs to its surroundings") {
  // A bit of the left shin, assigned to the hips: same chain, so distance does not reveal it.
  const auto in_patch = [](const Vector3d& p) {
    return (p - Vector3d(-0.3, 0.3, 0)).norm() < 0.08;
  };
  const Scene scene = test::trousers([&](double s, const Vector3d& p) {
    return in_patch(p) ? Row{{0, 1.0f}} : smooth_row(s);
  });
  const check::DominantRegions regions = regions_of(scene);
  std::size_t patch = 0;
  for (std::size_t v = 0; v < regions.own.size(); ++v)
    if (in_patch(scene.meshes[0].positions[v])) {
      ++patch;
      CHECK(regions.own[v] == 2u);
    }
  CHECK(patch > 3);
}

TEST_CASE("a leg bound entirely to the other leg's joint is found by distance") {
  const Scene scene = test::trousers([](double s, const Vector3d&) {
    return s > 0.5 && s < test::leg ? Row{{4, 1.0f}} : smooth_row(s);
  });
  const check::DominantRegions regions = regions_of(scene);
  for (std::size_t v = 0; v < regions.own.size(); ++v) {
    const Vector3d& p = scene.meshes[0].positions[v];
    if (p.x() < 0 && p.y() > 0.55 && p.y() < 0.9) CHECK(regions.own[v] != 4u);
    if (p.x() > 0 && p.y() > 0.6 && p.y() < 0.9) CHECK(regions.own[v] == 4u);
  }
}

TEST_CASE("a joint that is nowhere dominant is at region where it is strongest") {
  const Scene scene = test::trousers([](double s, const Vector3d&) {
    if (s < 0.05) return Row{{2, 0.6f}, {3, 0.4f}};
    if (s < 0.2) return Row{{2, 0.9f}, {3, 0.1f}};
    const Row row = smooth_row(s);
    return row[0].first == 3 || row.back().first == 3 ? Row{{2, 1.0f}} : row;
  });
  const check::DominantRegions regions = regions_of(scene);
  REQUIRE(!regions.region[3].empty());
  for (const std::uint32_t v : regions.region[3]) CHECK(scene.meshes[0].positions[v].y() < 0.06);
}

}  // namespace gvbind
