#include "character/polygon.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

using namespace gvbind;
using Eigen::Vector3d;

namespace {

using Points = std::vector<Vector3d>;
using Random = std::mt19937;

double random_number(Random& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

Vector3d twice_area(const Points& points) {
  Vector3d out = Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    out += (points[i] - points[0]).cross(points[i + 1] - points[0]);
  return out;
}

std::vector<Triangle> triangles_of(const Points& points) {
  std::vector<Triangle> out;
  polygon_triangles(points, 0, out);
  return out;
}

/// Checks the polygon in several planes: the expected number of triangles, none of them flipped,
/// with the polygon's area in total.
void check_triangles(const Points& flat, Random& random) {
  const Eigen::Affine3d place =
      Eigen::Translation3d(random_number(random, -50, 50), 3, -7) *
      Eigen::AngleAxisd(random_number(random, 0, 6), Vector3d(1, 2, 0.5).normalized()) *
      Eigen::Scaling(random_number(random, 0.01, 100.0));
  for (const Eigen::Affine3d& at : {Eigen::Affine3d::Identity(), place}) {
    Points points;
    for (const Vector3d& point : flat) points.push_back(at * point);
    const std::vector<Triangle> triangles = triangles_of(points);
    REQUIRE(triangles.size() == points.size() - 2);
    const Vector3d normal = twice_area(points);
    const double area = normal.norm();
    double sum = 0.0, least = 0.0;
    for (const Triangle& t : triangles) {
      const double one =
          (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).dot(normal.normalized());
      sum += std::abs(one);
      least = std::min(least, one);
    }
    CHECK(sum == Approx(area).epsilon(1e-9));
    CHECK(least >= -1e-9 * area);
  }
}

/// A star-shaped polygon with random radii.
Points star(Random& random, std::size_t count) {
  Points out;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2.0 * M_PI * static_cast<double>(i) / static_cast<double>(count);
    out.push_back(random_number(random, 0.05, 1.0) * Vector3d(std::cos(angle), std::sin(angle), 0));
  }
  return out;
}

/// The outline of connected grid squares without holes.
Points outline(const std::set<std::pair<int, int>>& squares) {
  std::map<std::pair<int, int>, std::pair<int, int>> next;
  const int around[4][4] = {{0, 0, 1, 0}, {1, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 0, 0}};
  const int beyond[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  for (const auto& [x, y] : squares)
    for (int side = 0; side < 4; ++side)
      if (!squares.contains({x + beyond[side][0], y + beyond[side][1]}))
        next[{x + around[side][0], y + around[side][1]}] = {x + around[side][2],
                                                            y + around[side][3]};
  Points out;
  const auto first = next.begin()->first;
  auto at = first;
  do {
    out.push_back(Vector3d(at.first, at.second, 0));
    at = next.at(at);
  } while (at != first);
  return out;
}

/// The passages of a maze without cycles.
Points maze(Random& random, int size) {
  std::set<std::pair<int, int>> squares = {{0, 0}};
  std::vector<std::pair<int, int>> open = {{0, 0}};
  while (!open.empty()) {
    const std::size_t k = random() % 3 == 0 ? random() % open.size() : open.size() - 1;
    const auto [x, y] = open[k];
    std::vector<std::pair<int, int>> steps;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const std::pair to{x + 2 * dx, y + 2 * dy};
      if (std::min(to.first, to.second) >= 0 && std::max(to.first, to.second) < 2 * size &&
          !squares.contains(to))
        steps.push_back({dx, dy});
    }
    if (steps.empty()) {
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(k));
      continue;
    }
    const auto [dx, dy] = steps[random() % steps.size()];
    squares.insert({x + dx, y + dy});
    squares.insert({x + 2 * dx, y + 2 * dy});
    open.push_back({x + 2 * dx, y + 2 * dy});
  }
  return outline(squares);
}

/// Removes collinear corners.
Points without_straight(const Points& points) {
  Points out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3d &a = points[(i + points.size() - 1) % points.size()], &b = points[i],
                   &c = points[(i + 1) % points.size()];
    if ((b - a).cross(c - b).z() != 0.0) out.push_back(b);
  }
  return out;
}

/// A plate with a square hole above each corner of its lower edge, and further holes above those.
/// Each hole is connected by a bridge that is traversed in both directions.
Points plate_with_holes(int columns, int rows) {
  Points out = {Vector3d(-1, 0, 0)};
  for (int column = 0; column < columns; ++column) {
    const double x = 2.0 * column;
    out.push_back({x, 0, 0});
    for (int row = 0; row < rows; ++row) {
      const double y = 2.0 * row + 1.0;
      for (const auto& [dx, dy] : {std::pair{0.0, 0.0}, {-0.5, 0.5}, {0.0, 1.0}})
        out.push_back({x + dx, y + dy, 0});
    }
    for (int row = rows; row-- > 0;) {
      const double y = 2.0 * row + 1.0;
      for (const auto& [dx, dy] : {std::pair{0.0, 1.0}, {0.5, 0.5}, {0.0, 0.0}})
        out.push_back({x + dx, y + dy, 0});
    }
    out.push_back({x, 0, 0});
  }
  out.push_back({2.0 * columns, 0, 0});
  out.push_back({2.0 * columns, 2.0 * rows + 1.0, 0});
  out.push_back({-1, 2.0 * rows + 1.0, 0});
  return out;
}

}  // namespace

TEST_CASE("convex polygons are fans around their first corner") {
  const Points hexagon = {{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 0, 0}, {-1, -2, 0}, {1, -2, 0}};
  CHECK(triangles_of(hexagon) == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}});
  CHECK(is_convex(hexagon));
  std::vector<Triangle> later = {{7, 8, 9}};
  polygon_triangles(std::span(hexagon).first(4), 10, later);
  CHECK(later == std::vector<Triangle>{{7, 8, 9}, {10, 11, 12}, {10, 12, 13}});
}

TEST_CASE("a concave quad is split through the corner that is bent inward") {
  const Points arrow = {{0, 0, 0}, {2, -1, 0}, {0, 4, 0}, {-2, -1, 0}};
  CHECK(triangles_of(arrow) == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
  const Points turned = {{2, -1, 0}, {0, 4, 0}, {-2, -1, 0}, {0, 0, 0}};
  CHECK(triangles_of(turned) == std::vector<Triangle>{{1, 2, 3}, {1, 3, 0}});
  CHECK_FALSE(is_convex(arrow));
}

TEST_CASE("triangles of concave polygons have the polygon's area") {
  Random random(1);
  check_triangles({{0, 0, 0},
                   {30, 0, 0},
                   {30, 20, 0},
                   {20, 20, 0},
                   {20, 10, 0},
                   {10, 10, 0},
                   {10, 20, 0},
                   {0, 20, 0}},
                  random);
  for (std::size_t count = 5; count < 200; count += 3) check_triangles(star(random, count), random);
  for (int size = 2; size < 14; ++size) {
    const Points ways = maze(random, size);
    check_triangles(ways, random);
    check_triangles(without_straight(ways), random);
  }
}

TEST_CASE("polygons that visit an edge twice to reach a hole keep it") {
  Random random(2);
  for (int columns = 1; columns < 6; ++columns)
    for (int rows = 1; rows < 5; ++rows) check_triangles(plate_with_holes(columns, rows), random);
}

TEST_CASE("corners that coincide, and ways there and back, take triangles without area") {
  Random random(3);
  check_triangles({{0, 0, 0},
                   {30, 0, 0},
                   {30, 0, 0},
                   {30, 20, 0},
                   {20, 20, 0},
                   {20, 10, 0},
                   {15, 10, 0},
                   {15, 5, 0},
                   {15, 10, 0},
                   {10, 10, 0},
                   {10, 20, 0},
                   {0, 20, 0},
                   {0, 0, 0}},
                  random);
}

TEST_CASE("no triangle without area is left over from corners on a straight edge") {
  const Points points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {3, 2, 0},
                         {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  for (const Triangle& t : triangles_of(points))
    CHECK((points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).z() > 0.5);
}

TEST_CASE("self-intersecting and non-planar polygons are triangulated too") {
  Random random(4);
  for (std::size_t count = 3; count < 400; count += 23) {
    Points points;
    for (std::size_t i = 0; i < count; ++i)
      points.push_back({random_number(random, -1, 1), random_number(random, -1, 1),
                        random_number(random, -0.1, 0.1)});
    CHECK(triangles_of(points).size() == count - 2);
  }
  CHECK(triangles_of(Points(9, Vector3d(1, 2, 3))).size() == 7);
  CHECK(triangles_of({{0, 0, 0}, {1, 0, 0}}).empty());
}

TEST_CASE("a polygon of a hundred thousand corners is split in few steps") {
  Points points;
  constexpr int teeth = 25000;
  for (int i = 0; i < teeth; ++i)
    for (const auto& [dx, y] : {std::pair{0, 1}, {0, 10}, {1, 10}, {1, 1}})
      points.push_back(Vector3d(y, 2 * i + dx, 0));
  points.push_back(Vector3d(0, 2 * teeth, 0));
  points.push_back(Vector3d(0, 0, 0));
  std::ranges::reverse(points);
  Random random(5);
  check_triangles(points, random);
}
