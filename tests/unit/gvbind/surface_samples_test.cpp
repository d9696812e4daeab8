#include "gvbind/resolution/surface_samples.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

double share_facing(const std::vector<SurfaceSample>& samples, const Eigen::Vector3d& way) {
  double share = 0.0;
  for (const SurfaceSample& sample : samples)
    if (sample.normal.dot(way) > 0.999) share += sample.share;
  return share;
}

}  // namespace

TEST_CASE("samples cover the surface by area, on it, facing out, by cell") {
  const UnitScene scene = unit_scene(box({0, 0, 0}, {2, 1, 1}));
  const std::vector<SurfaceSample> samples = surface_samples(scene);
  REQUIRE_FALSE(samples.empty());
  CHECK(share_facing(samples, Eigen::Vector3d::UnitX()) == Approx(0.1));
  CHECK(share_facing(samples, -Eigen::Vector3d::UnitX()) == Approx(0.1));
  CHECK(share_facing(samples, Eigen::Vector3d::UnitZ()) == Approx(0.2));
  MortonCode last = 0;
  bool ascend = true;
  double furthest = 0.0;
  for (const SurfaceSample& sample : samples) {
    ascend = ascend && sample.cell >= last;
    last = sample.cell;
    const Eigen::Vector3d p =
        (sample.at - Eigen::Vector3d::Constant(lattice_size / 2)) / scene.cube.scale +
        scene.cube.center;
    const Eigen::Array3d out =
        Eigen::Array3d(1.0, 0.5, 0.5) - (p.array() - Eigen::Array3d(1.0, 0.5, 0.5)).abs();
    furthest = std::max(furthest, out.abs().minCoeff());
  }
  CHECK(ascend);
  CHECK(furthest < 1e-5);
}

TEST_CASE("a body that is inside out is turned round") {
  Shape shape = box({0, 0, 0}, {2, 1, 1});
  for (Triangle& t : shape.triangles) std::swap(t[0], t[1]);
  double least = lattice_size;
  for (const SurfaceSample& sample : surface_samples(unit_scene(shape)))
    least =
        std::min(least, sample.normal.dot(sample.at - Eigen::Vector3d::Constant(lattice_size / 2)));
  CHECK(least > 0.0);
}

TEST_CASE("triangles without area have no samples") {
  const Shape shape{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 1}}, {{0, 1, 2}, {3, 3, 3}}};
  CHECK(surface_samples(unit_scene(shape)).empty());
}

TEST_CASE("slivers and large faces come to few samples, still by area", "[slow]") {
  Shape needles = box({0, 0, 0}, {1, 1, 1});
  for (int i = 0; i < 5000; ++i) {
    const double y = (i + 1) / 5002.0;
    const auto first = static_cast<std::uint32_t>(needles.positions.size());
    for (const Eigen::Vector3d& p : {Eigen::Vector3d(0, y, 0.5), Eigen::Vector3d(1, y, 0.5),
                                     Eigen::Vector3d(0, y + 1e-5, 0.5)})
      needles.positions.push_back(p);
    needles.triangles.push_back({first, first + 1, first + 2});
  }
  const std::vector<SurfaceSample> samples = surface_samples(unit_scene(needles));
  CHECK(samples.size() < 1'000'000);
  CHECK(share_facing(samples, Eigen::Vector3d::UnitX()) == Approx(1.0 / 6.0).epsilon(0.01));
}
