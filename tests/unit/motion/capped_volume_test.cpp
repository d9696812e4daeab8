#include "motion/capped_volume.h"

#include <catch2/catch.hpp>
#include <limits>

#include "support/shapes.h"

namespace gvbind {
namespace {

using test::Shape;

double volume(const Shape& shape) {
  return motion::volume_of(motion::cap_holes(shape.positions, shape.triangles), shape.positions);
}

TEST_CASE("a closed body has its volume and no caps") {
  const Shape box = test::box({1, 2, 3}, {3, 5, 7});
  CHECK(motion::cap_holes(box.positions, box.triangles).caps.empty());
  CHECK(volume(box) == Approx(24.0));
}

TEST_CASE("an open box is closed with a flat cap, wherever it stands") {
  Shape box = test::box({0, 0, 0}, {1, 1, 1});
  box.triangles.erase(box.triangles.begin(), box.triangles.begin() + 2);  // its lower side
  const motion::CappedSurface capped = motion::cap_holes(box.positions, box.triangles);
  CHECK(capped.holes.size() == 1);
  CHECK(capped.caps.size() == 4);
  CHECK(motion::volume_of(capped, box.positions) == Approx(1.0));
  for (Eigen::Vector3d& p : box.positions)
    p = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, 3).normalized()) * p +
        Eigen::Vector3d(50, -20, 30);
  CHECK(motion::volume_of(capped, box.positions) == Approx(1.0));
}

TEST_CASE("seams are no holes, and vertices that are not finite take no part") {
  Shape box = test::box({0, 0, 0}, {1, 1, 1});
  Shape split;  // every triangle has its own vertices
  for (const Triangle& t : box.triangles) {
    const auto base = static_cast<std::uint32_t>(split.positions.size());
    for (const std::uint32_t v : t) split.positions.push_back(box.positions[v]);
    split.triangles.push_back({base, base + 1, base + 2});
  }
  CHECK(motion::cap_holes(split.positions, split.triangles).holes.empty());
  split.positions.emplace_back(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  const auto bad = static_cast<std::uint32_t>(split.positions.size() - 1);
  split.triangles.push_back({0, 1, bad});
  CHECK(volume(split) == Approx(1.0));
  CHECK(motion::volume_of(motion::cap_holes({}, {}), {}) == 0.0);
}

TEST_CASE("two bodies with a hole each have two caps") {
  Shape both = test::box({0, 0, 0}, {1, 1, 1});
  both.triangles.erase(both.triangles.begin(), both.triangles.begin() + 2);
  Shape other = test::box({4, 0, 0}, {5, 1, 1});
  other.triangles.erase(other.triangles.begin(), other.triangles.begin() + 2);
  both.append(other);
  CHECK(motion::cap_holes(both.positions, both.triangles).holes.size() == 2);
  CHECK(volume(both) == Approx(2.0));
}

}  // namespace
}  // namespace gvbind
