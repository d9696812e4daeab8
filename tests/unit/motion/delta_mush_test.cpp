#include "motion/delta_mush.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "gvbind/base/parallel.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

using test::Shape;

double farthest(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

Shape tube(int around, int along) {
  return test::capsule({0, 0, 0}, {0, 4, 0}, 0.5, around, along);
}

/// A sharp bend in the middle: a tube without blending after one joint rotates.
std::vector<Eigen::Vector3d> bent(const Shape& shape, double degrees) {
  std::vector<Eigen::Vector3d> posed = shape.positions;
  const Eigen::Affine3d turn = Eigen::Translation3d(0, 2, 0) *
                               Eigen::AngleAxisd(degrees * M_PI / 180.0, Eigen::Vector3d::UnitZ()) *
                               Eigen::Translation3d(0, -2, 0);
  for (Eigen::Vector3d& p : posed)
    if (p.y() > 2.0) p = turn * p;
  return posed;
}

TEST_CASE("Delta Mush leaves the rest pose and moved characters as they are") {
  const Shape shape = tube(16, 24);
  const motion::DeltaMush surface = motion::prepare_delta_mush(shape.positions, shape.triangles);
  CHECK(farthest(motion::delta_mush(surface, shape.positions), shape.positions) < 1e-10);

  const Eigen::Affine3d move = Eigen::Translation3d(3, -2, 1) *
                               Eigen::AngleAxisd(2.3, Eigen::Vector3d(1, 2, -1).normalized());
  std::vector<Eigen::Vector3d> moved = shape.positions;
  for (Eigen::Vector3d& p : moved) p = move * p;
  CHECK(farthest(motion::delta_mush(surface, moved), moved) < 1e-9);
}

TEST_CASE("Delta Mush rounds a sharp bend near it alone") {
  const Shape shape = tube(24, 80);
  const std::vector<Eigen::Vector3d> posed = bent(shape, 60.0);
  const std::vector<Eigen::Vector3d> mushed =
      motion::delta_mush(motion::prepare_delta_mush(shape.positions, shape.triangles), posed);
  double near = 0.0, far = 0.0;
  for (std::size_t v = 0; v < posed.size(); ++v) {
    const double moved = (mushed[v] - posed[v]).norm();
    const double from_bend = std::abs(shape.positions[v].y() - 2.0);
    (from_bend < 0.2 ? near : far) =
        std::max(from_bend < 0.2 ? near : far, from_bend < 1.5 && from_bend >= 0.2 ? 0.0 : moved);
  }
  CHECK(near > 0.02);
  CHECK(far < 1e-4);
}

TEST_CASE("a finer mesh is smoothed as far as a coarse one") {
  const auto moved_at_bend = [](int around, int along) {
    const Shape shape = tube(around, along);
    const std::vector<Eigen::Vector3d> posed = bent(shape, 45.0);
    const std::vector<Eigen::Vector3d> mushed = motion::delta_mush(
        motion::prepare_delta_mush(shape.positions, shape.triangles, {}, {.reach = 0.05}), posed);
    double sum = 0.0;
    for (std::size_t v = 0; v < posed.size(); ++v)
      if (std::abs(shape.positions[v].y() - 2.2) < 0.06)
        sum = std::max(sum, (mushed[v] - posed[v]).norm());
    return sum;
  };
  const double coarse = moved_at_bend(24, 40), fine = moved_at_bend(48, 80);
  CHECK(fine == Approx(coarse).epsilon(0.25));
}

TEST_CASE("bridges hold a part that floats beside the surface") {
  Shape shape = tube(16, 24);
  const auto first = static_cast<std::uint32_t>(shape.positions.size());
  shape.append(test::box({0.55, 1.9, -0.1}, {0.75, 2.1, 0.1}));
  std::vector<Eigen::Vector3d> posed = shape.positions;
  for (std::size_t v = first; v < posed.size(); ++v) posed[v].x() += 0.5;
  const auto gap_left = [&](std::span<const motion::Bridge> bridges) {
    return motion::delta_mush(motion::prepare_delta_mush(shape.positions, shape.triangles, bridges,
                                                         {.reach = 0.1}),
                              posed)[first]
               .x() -
           shape.positions[first].x();
  };
  const motion::Bridge bridge = {0, first};
  CHECK(gap_left({}) == Approx(0.5).margin(1e-6));
  CHECK(gap_left({&bridge, 1}) < 0.499);
}

TEST_CASE("vertices that are not finite stay, and those at one place move as one") {
  Shape shape = tube(16, 24);
  shape.positions.push_back(shape.positions[30]);
  shape.positions.emplace_back(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  std::vector<Eigen::Vector3d> posed = bent(shape, 40.0);
  const std::vector<Eigen::Vector3d> mushed =
      motion::delta_mush(motion::prepare_delta_mush(shape.positions, shape.triangles), posed);
  CHECK(mushed[30] == mushed[shape.positions.size() - 2]);
  CHECK(std::isnan(mushed.back().x()));
  CHECK(motion::prepare_delta_mush({}, {}).first_vertex.empty());
}

TEST_CASE("Delta Mush is the same on any number of threads", "[threads]") {
  const Shape shape = tube(32, 80);
  const std::vector<Eigen::Vector3d> posed = bent(shape, 70.0);
  std::vector<Eigen::Vector3d> one, two;
  with_threads(1, {}, [&] {
    one = motion::delta_mush(motion::prepare_delta_mush(shape.positions, shape.triangles), posed);
  });
  with_threads(2, {}, [&] {
    two = motion::delta_mush(motion::prepare_delta_mush(shape.positions, shape.triangles), posed);
  });
  CHECK(one == two);
}

}  // namespace
}  // namespace gvbind
