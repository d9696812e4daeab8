#include "preview/raster.h"

#include <catch2/catch.hpp>
#include <random>

#include "preview/camera.h"

namespace gvbind {
namespace {

const Eigen::Vector3f black = Eigen::Vector3f::Zero();
const Eigen::Vector3f white = Eigen::Vector3f::Ones();

preview::RasterVertex vertex(float x, float y, float z = 0.0F,
                             const Eigen::Vector3f& color = white) {
  return {{x, y, z}, {0, 0, 1}, color};
}

bool drawn(const preview::Canvas& canvas, int x, int y) {
  return canvas.depth[canvas.at(x, y)] > -HUGE_VALF;
}

/// By the signs of three areas; `confidence` is the smallest distance to an edge line.
bool inside(const Eigen::Vector2d& p, const Eigen::Vector2d (&corner)[3], double& confidence) {
  double signs[3];
  confidence = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector2d a = corner[i], along = corner[(i + 1) % 3] - a, to = p - a;
    signs[i] = along.x() * to.y() - along.y() * to.x();
    confidence = std::min(confidence, std::abs(signs[i]) / along.norm());
  }
  return (signs[0] > 0 && signs[1] > 0 && signs[2] > 0) ||
         (signs[0] < 0 && signs[1] < 0 && signs[2] < 0);
}

}  // namespace

TEST_CASE("triangles that share edges cover each sample once") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(4.0F, 60.0F);
  for (int round = 0; round < 20; ++round) {
    // A fan around a point; in even rounds, sample centers and corners coincide.
    auto at = [&] {
      const float v = anywhere(random);
      return round % 2 ? v : std::floor(v) + 0.5F;
    };
    const preview::RasterVertex middle = vertex(at(), at());
    const preview::RasterVertex corners[4] = {vertex(2.5F, 2.5F), vertex(61.5F, 2.5F),
                                              vertex(61.5F, 61.5F), vertex(2.5F, 61.5F)};
    std::vector<int> times(64 * 64, 0);
    for (int i = 0; i < 4; ++i) {
      preview::Canvas canvas(64, 64, black);
      preview::draw_triangle(canvas, middle, corners[i], corners[(i + 1) % 4]);
      for (std::size_t s = 0; s < times.size(); ++s)
        times[s] += canvas.depth[s] > -HUGE_VALF ? 1 : 0;
    }
    for (int y = 3; y < 61; ++y)
      for (int x = 3; x < 61; ++x)
        if (times[static_cast<std::size_t>(y * 64 + x)] != 1)
          FAIL("sample " << x << ", " << y << " drawn "
                         << times[static_cast<std::size_t>(y * 64 + x)] << " times");
  }
  SUCCEED();
}

TEST_CASE("coverage is that of the triangle, also where it leaves the canvas") {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> anywhere(-40.0F, 80.0F);
  for (int round = 0; round < 200; ++round) {
    Eigen::Vector2d corner[3];
    for (auto& c : corner) c = {anywhere(random), anywhere(random)};
    preview::Canvas canvas(48, 32, black);
    const auto raster = [&](int i) {
      return vertex(static_cast<float>(corner[i].x()), static_cast<float>(corner[i].y()));
    };
    preview::draw_triangle(canvas, raster(0), raster(1), raster(2));
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 48; ++x) {
        double confidence = 0.0;
        const bool expected = inside({x + 0.5, y + 0.5}, corner, confidence);
        if (confidence > 0.02 && drawn(canvas, x, y) != expected)
          FAIL("round " << round << ", sample " << x << ", " << y);
      }
  }
  SUCCEED();
}

TEST_CASE("the nearer triangle shows, in either order of drawing") {
  const Eigen::Vector3f red(1, 0, 0), green(0, 1, 0);
  for (const bool near_first : {true, false}) {
    preview::Canvas canvas(16, 16, black);
    const auto draw = [&](float z, const Eigen::Vector3f& color) {
      preview::draw_triangle(canvas, vertex(0, 0, z, color), vertex(0, 32, z, color),
                             vertex(32, 0, z, color));
    };
    draw(near_first ? 2.0F : 1.0F, near_first ? red : green);
    draw(near_first ? 1.0F : 2.0F, near_first ? green : red);
    CHECK(canvas.color[canvas.at(4, 4)].x() > 0.0F);
    CHECK(canvas.color[canvas.at(4, 4)].y() == 0.0F);
  }
}

TEST_CASE("depth and color are interpolated") {
  preview::Canvas canvas(64, 64, black);
  preview::draw_triangle(canvas, vertex(0, 0, 0, {0, 0, 0}), vertex(0, 64, 0, {0, 0, 0}),
                         vertex(64, 0, 64, {1, 1, 1}));
  CHECK(canvas.depth[canvas.at(20, 10)] == Approx(20.5F).epsilon(1e-4));
  const float light = preview::shade(white, {0, 0, 1}, false).x();
  CHECK(canvas.color[canvas.at(20, 10)].x() == Approx(light * 20.5F / 64.0F).epsilon(1e-4));
}

TEST_CASE("the inner side of a face is darker than the outer one") {
  // With y down, (0, 0), (0, 32), (32, 0) is counter-clockwise.
  preview::Canvas outer(8, 8, black), inner(8, 8, black);
  preview::draw_triangle(outer, vertex(0, 0), vertex(0, 32), vertex(32, 0));
  preview::draw_triangle(inner, vertex(0, 0), vertex(32, 0), vertex(0, 32));
  const float lit = outer.color[outer.at(2, 2)].x();
  CHECK(lit > 0.5F);
  CHECK(inner.color[inner.at(2, 2)].x() < 0.8F * lit);
  CHECK(inner.color[inner.at(2, 2)].x() > 0.0F);
}

TEST_CASE("far and degenerate triangles do no harm") {
  preview::Canvas canvas(8, 8, black);
  preview::draw_triangle(canvas, vertex(-1e30F, 1e30F), vertex(1e30F, 1e30F),
                         vertex(1e30F, -1e30F));
  preview::draw_triangle(canvas, vertex(3, 3), vertex(3, 3), vertex(3, 3));
  preview::draw_triangle(canvas, vertex(100, 100), vertex(200, 100), vertex(100, 200));
  preview::draw_triangle(canvas, vertex(-100, -100), vertex(-200, -100), vertex(-100, -200));
  CHECK(canvas.color.size() == 64);
  CHECK(drawn(canvas, 7, 7));
}

TEST_CASE("a stroke covers its discs and the space between them") {
  preview::Canvas canvas(32, 16, black);
  preview::draw_stroke(canvas, {8, 8}, 4.0F, {24, 8}, 2.0F, white);
  const auto lit = [&](int x, int y) { return canvas.color[canvas.at(x, y)].x() > 0.5F; };
  CHECK(lit(8, 8));
  CHECK(lit(5, 8));
  CHECK(lit(16, 10));
  CHECK(lit(25, 8));
  CHECK_FALSE(lit(3, 8));
  CHECK_FALSE(lit(24, 11));
  CHECK_FALSE(lit(16, 12));
  CHECK_FALSE(lit(27, 8));
}

TEST_CASE("views look at the front, the left side and the back") {
  Units units;
  units.up = Eigen::Vector3d::UnitZ();
  units.front = -Eigen::Vector3d::UnitY();
  const preview::ViewRotation front = preview::view_of(units, 0),
                              side = preview::view_of(units, 90),
                              back = preview::view_of(units, 180);
  CHECK((front.row(2) - Eigen::RowVector3d(0, -1, 0)).norm() < 1e-12);
  CHECK((front.row(0) - Eigen::RowVector3d(1, 0, 0)).norm() < 1e-12);
  CHECK((side.row(2) - Eigen::RowVector3d(1, 0, 0)).norm() < 1e-12);
  CHECK((back.row(2) - Eigen::RowVector3d(0, 1, 0)).norm() < 1e-12);
  for (const preview::ViewRotation& view : {front, side, back, preview::view_of(units, 33, 20)}) {
    CHECK((view * view.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-12);
    CHECK(view.determinant() == Approx(1.0));
    CHECK(view.row(1).dot(units.up) > 0.9);
  }
}

TEST_CASE("units without sense still give a rotation") {
  Units units;
  units.up = Eigen::Vector3d::Zero();
  units.front = Eigen::Vector3d::UnitY();
  for (const double yaw : {0.0, 90.0}) {
    const preview::ViewRotation view = preview::view_of(units, yaw);
    CHECK((view * view.transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-12);
  }
}

}  // namespace gvbind
