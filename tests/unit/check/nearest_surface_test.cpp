#include "check/nearest_surface.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "support/shapes.h"

namespace gvbind {
namespace {

Eigen::Vector3d at(const check::NearestSurface& surface, const check::ClosestPoint& point) {
  const Triangle& t = surface.triangles()[point.triangle];
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < 3; ++i)
    sum += point.shares[static_cast<Eigen::Index>(i)] * surface.positions()[t[i]];
  return sum;
}

/// The smallest distance to points sampled on all triangles.
double slow_distance(const check::NearestSurface& surface, const Eigen::Vector3d& p) {
  double least = HUGE_VAL;
  constexpr int steps = 40;
  for (const Triangle& t : surface.triangles())
    for (int i = 0; i <= steps; ++i)
      for (int k = 0; i + k <= steps; ++k) {
        const double u = static_cast<double>(i) / steps, v = static_cast<double>(k) / steps;
        const Eigen::Vector3d q = u * surface.positions()[t[0]] + v * surface.positions()[t[1]] +
                                  (1.0 - u - v) * surface.positions()[t[2]];
        least = std::min(least, (q - p).norm());
      }
  return least;
}

}  // namespace

TEST_CASE("the closest point of a triangle is inside it, on an edge or at a corner") {
  const Eigen::Vector3d a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  CHECK(check::closest_on_triangle({0.25, 0.25, 5}, a, b, c)
            .isApprox(Eigen::Vector3d(0.5, 0.25, 0.25)));
  CHECK(check::closest_on_triangle({0.5, -3, 1}, a, b, c).isApprox(Eigen::Vector3d(0.5, 0.5, 0)));
  CHECK(check::closest_on_triangle({9, -1, 0}, a, b, c).isApprox(Eigen::Vector3d(0, 1, 0)));
  CHECK(check::closest_on_triangle({1, 1, 0}, a, b, c).isApprox(Eigen::Vector3d(0, 0.5, 0.5)));
  CHECK(check::closest_on_triangle({3, 0, 0}, a, a, b).sum() == Approx(1.0));
  CHECK(check::closest_on_triangle({3, 0, 0}, a, a, a).sum() == Approx(1.0));
}

TEST_CASE("the closest point is as near as the nearest of points strewn over the surface") {
  const test::Shape shape = test::capsule({0, 0, 0}, {0, 3, 0}, 0.7, 8, 4);
  const check::NearestSurface surface(shape.positions, shape.triangles);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-3.0, 6.0);
  for (int i = 0; i < 60; ++i) {
    const Eigen::Vector3d p(place(random), place(random), place(random));
    const auto found = surface.nearest(p);
    REQUIRE(found);
    CHECK((at(surface, *found) - p).norm() == Approx(found->distance));
    CHECK(found->shares.minCoeff() >= 0.0);
    const double slow = slow_distance(surface, p);
    CHECK(found->distance <= slow + 1e-9);
    CHECK(found->distance >= slow - 0.03);
  }
}

TEST_CASE("triangles and points that are not finite are passed over") {
  const double bad = std::nan("");
  const check::NearestSurface surface({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {bad, 0, 0}},
                                      {{0, 1, 3}, {0, 1, 2}, {0, 1, 99}});
  CHECK(surface.triangles().size() == 1);
  CHECK(surface.nearest({0, 0, 1})->distance == Approx(1.0));
  CHECK_FALSE(surface.nearest({bad, 0, 1}));
  CHECK_FALSE(check::NearestSurface({}, {}).nearest({0, 0, 0}));
}

TEST_CASE("normals are smooth over a seam and keep the two sides of a sheet apart") {
  const std::vector<Eigen::Vector3d> seam = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1},
                                             {0, 0, 0}, {0, 0, 1}, {-1, -0.5, 0}};
  const auto smooth = check::vertex_normals(seam, std::vector<Triangle>{{0, 2, 1}, {3, 5, 4}});
  CHECK(smooth[0].isApprox(smooth[3]));
  CHECK_FALSE(smooth[1].isApprox(smooth[5]));
  const std::vector<Eigen::Vector3d> sheet = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                              {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto two = check::vertex_normals(sheet, std::vector<Triangle>{{0, 1, 2}, {3, 5, 4}});
  CHECK(two[0].isApprox(-two[3]));
}

}  // namespace gvbind
