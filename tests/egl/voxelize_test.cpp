#include "gvbind/solid/voxelize.h"

#include <catch2/catch.hpp>

#include "egl/reference.h"
#include "gvbind/error.h"
#include "gvbind/solid/column_voxelizer.h"

namespace gvbind {
namespace {

test::UnitScene body() { return test::centered(test::capsule({0, 0, 0}, {1, 2, 3}, 1.0)); }

void check_is_cpu(const DeviceVotes& votes, const test::UnitScene& scene) {
  CHECK(votes.device == "cpu");
  const AxisVotes cpu = voxelize_columns(scene, 32);
  for (int axis = 0; axis < 3; ++axis)
    CHECK(test::differences(votes.votes.axis[axis], cpu.axis[axis]) == 0);
}

TEST_CASE("a GPU that fails midway leaves the work to the CPU and is told of", "[egl]") {
  const test::UnitScene scene = body();
  const DeviceVotes votes =
      votes_or_cpu([]() -> std::optional<DeviceVotes> { throw Error(ErrorKind::resource, "lost"); },
                   scene, 32, all_views);
  check_is_cpu(votes, scene);
  REQUIRE(votes.findings.size() == 1);
  CHECK(votes.findings[0].code == "device-failed");
  CHECK(votes.findings[0].severity == Severity::warning);
  CHECK(votes.findings[0].message.find("lost") != std::string::npos);
}

TEST_CASE("without a GPU the CPU works without a word", "[egl]") {
  const test::UnitScene scene = body();
  const DeviceVotes votes = votes_or_cpu([] { return std::nullopt; }, scene, 32, all_views);
  check_is_cpu(votes, scene);
  CHECK(votes.findings.empty());
}

TEST_CASE("errors that are not the device's come through", "[egl]") {
  CHECK_THROWS_AS(
      votes_or_cpu([]() -> std::optional<DeviceVotes> { throw Error(ErrorKind::usage, "no"); },
                   body(), 32, all_views),
      Error);
}

TEST_CASE("a GPU that gives votes is taken at its word", "[egl]") {
  DeviceVotes made;
  made.device = "a GPU";
  const DeviceVotes votes = votes_or_cpu([&] { return made; }, body(), 32, all_views);
  CHECK(votes.device == "a GPU");
  CHECK(votes.votes.axis[0].words.empty());
}

TEST_CASE("crossings are estimated as columns count them", "[egl]") {
  // A box of a quarter of the cube a side: two faces an axis.
  test::UnitScene scene;
  for (const auto& p : test::box({0, 0, 0}, Eigen::Vector3d::Constant(lattice_size / 4)).positions)
    scene.positions.push_back(p.cast<int>());
  scene.triangles = test::box({0, 0, 0}, {1, 1, 1}).triangles;
  CHECK(estimate_crossings(scene, 64) == Approx(3 * 2 * 16 * 16));
  CHECK(estimate_crossings(scene, 1024) == Approx(3 * 2 * 256 * 256));
}

TEST_CASE("a GPU is started for bodies of many layers only", "[egl]") {
  test::UnitScene scene = body();
  for (int r = 16; r <= 2048; r *= 2) CHECK_FALSE(gpu_may_pay(scene, r));
  const std::vector<Triangle> layer = scene.triangles;
  for (int i = 1; i < 200; ++i)
    scene.triangles.insert(scene.triangles.end(), layer.begin(), layer.end());
  CHECK_FALSE(gpu_may_pay(scene, 16));
  CHECK(gpu_may_pay(scene, 1024));
}

TEST_CASE("automatic never takes a software driver", "[egl]") {
  const std::optional<DeviceVotes> hardware = egl_votes(false, body(), 32, all_views);
  if (hardware) CHECK(hardware->device.find("llvmpipe") == std::string::npos);
  test::UnitScene layers = body();
  const std::vector<Triangle> layer = layers.triangles;
  while (!gpu_may_pay(layers, 256))
    layers.triangles.insert(layers.triangles.end(), layer.begin(), layer.end());
  const DeviceVotes votes = voxelize(Device::automatic, layers, 256, all_views);
  CHECK(votes.findings.empty());
  CHECK((votes.device == "cpu") == !hardware);
}

}  // namespace
}  // namespace gvbind
