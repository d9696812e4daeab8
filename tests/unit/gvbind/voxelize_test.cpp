#include "gvbind/solid/voxelize.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "gvbind/error.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"
#include "gvbind/unit_scene.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

test::UnitScene body() {
  const test::Shape capsule = test::capsule({0, 0, 0}, {1, 2, 3}, 1.0);
  return test::normalize(capsule.positions, capsule.triangles, {});
}

/// So many bodies that a GPU may be faster at 256.
test::UnitScene layers() {
  test::UnitScene scene = body();
  const std::vector<Triangle> layer = scene.triangles;
  while (!gpu_may_pay(scene, 256))
    scene.triangles.insert(scene.triangles.end(), layer.begin(), layer.end());
  return scene;
}

DeviceVote vote_with(Device device, const GpuVoxelizer* gpu) {
  const test::UnitScene scene = layers();
  return device_vote(device, gpu, scene, boundary_voxels(scene, 256), all_views);
}

GpuVoxelizer failing(ErrorKind kind) {
  return {[kind](Drivers, const LatticeMesh&, int, unsigned) -> std::optional<DeviceVotes> {
    throw Error(kind, "lost");
  }};
}

const GpuVoxelizer without_device{
    [](Drivers, const LatticeMesh&, int, unsigned) { return std::nullopt; }};

/// A fake GPU named after the request, which finds no voxel inside.
const GpuVoxelizer with_device{[](Drivers drivers, const LatticeMesh&, int resolution, unsigned) {
  DeviceVotes votes;
  votes.device = drivers == Drivers::hardware ? "hardware" : "any";
  for (BitGrid& grid : votes.votes.axis) grid = BitGrid(resolution);
  return votes;
}};

void check_is_cpu(const DeviceVote& vote) {
  CHECK(vote.device == "cpu");
  const test::UnitScene scene = layers();
  const VotedSolid cpu = combine_votes(voxelize_columns(scene, 256), boundary_voxels(scene, 256));
  CHECK(vote.voted.solid.non_exterior.words == cpu.solid.non_exterior.words);
  CHECK(vote.voted.ambiguous.words == cpu.ambiguous.words);
}

TEST_CASE("a GPU that fails midway leaves the work to the CPU and is reported", "[slow]") {
  const GpuVoxelizer gpu = failing(ErrorKind::resource);
  const DeviceVote vote = vote_with(Device::automatic, &gpu);
  check_is_cpu(vote);
  REQUIRE(vote.findings.size() == 1);
  CHECK(vote.findings[0].code == "device-failed");
  CHECK(vote.findings[0].severity == Severity::warning);
  CHECK(vote.findings[0].message.find("lost") != std::string::npos);
}

TEST_CASE("without a GPU the CPU works without a word", "[slow]") {
  const GpuVoxelizer* const gpu =
      GENERATE(static_cast<const GpuVoxelizer*>(nullptr), &without_device);
  const DeviceVote vote = vote_with(Device::automatic, gpu);
  check_is_cpu(vote);
  CHECK(vote.findings.empty());
}

TEST_CASE("a requested but missing GPU is an error") {
  const GpuVoxelizer* const gpu =
      GENERATE(static_cast<const GpuVoxelizer*>(nullptr), &without_device);
  try {
    vote_with(Device::egl, gpu);
    FAIL("voxelized");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::resource);
    CHECK(std::string(error.what()) == "device egl: there is no usable EGL device");
  }
}

TEST_CASE("errors that are not the device's come through") {
  const GpuVoxelizer gpu = failing(ErrorKind::canceled);
  CHECK_THROWS_AS(vote_with(Device::automatic, &gpu), Error);
}

TEST_CASE("a device that was asked for does not give way to the CPU") {
  const GpuVoxelizer gpu = failing(ErrorKind::resource);
  CHECK_THROWS_AS(vote_with(Device::egl, &gpu), Error);
}

TEST_CASE("the votes of a GPU are taken as they are, by software only where it was asked for",
          "[slow]") {
  const DeviceVote automatic = vote_with(Device::automatic, &with_device);
  CHECK(automatic.device == "hardware");
  CHECK(automatic.voted.solid.interior_voxels == 0);
  CHECK(vote_with(Device::egl, &with_device).device == "any");
}

TEST_CASE("the CPU is not disturbed by a GPU", "[slow]") {
  check_is_cpu(vote_with(Device::cpu, &with_device));
  const test::UnitScene scene = body();
  CHECK(device_vote(Device::automatic, &with_device, scene, boundary_voxels(scene, 32), all_views)
            .device == "cpu");
}

TEST_CASE("crossings are estimated as columns count them") {
  // A box with a quarter of the cube's side: two faces per axis.
  test::UnitScene scene;
  for (const auto& p : test::box({0, 0, 0}, Eigen::Vector3d::Constant(lattice_size / 4)).positions)
    scene.positions.push_back(p.cast<int>());
  scene.triangles = test::box({0, 0, 0}, {1, 1, 1}).triangles;
  CHECK(estimate_crossings(scene, 64) == Approx(3 * 2 * 16 * 16));
  CHECK(estimate_crossings(scene, 1024) == Approx(3 * 2 * 256 * 256));
}

TEST_CASE("a GPU is started for bodies of many layers only") {
  test::UnitScene scene = body();
  for (int r = 16; r <= 2048; r *= 2) CHECK_FALSE(gpu_may_pay(scene, r));
  const std::vector<Triangle> layer = scene.triangles;
  for (int i = 1; i < 200; ++i)
    scene.triangles.insert(scene.triangles.end(), layer.begin(), layer.end());
  CHECK_FALSE(gpu_may_pay(scene, 16));
  CHECK(gpu_may_pay(scene, 1024));
}

}  // namespace
}  // namespace gvbind
