#include "gvbind/egl.h"

#include <catch2/catch.hpp>

#include "egl/egl_context.h"
#include "egl/reference.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/voxelize.h"
#include "support/skip.h"

namespace gvbind {
namespace {

test::UnitScene body() { return test::centered(test::capsule({0, 0, 0}, {1, 2, 3}, 1.0)); }

TEST_CASE("automatic never takes a software driver", "[egl]") {
  const std::optional<DeviceVotes> hardware =
      egl::egl_voxelizer().votes(Drivers::hardware, body(), 32, all_views);
  if (hardware) CHECK(hardware->device.find("llvmpipe") == std::string::npos);
  test::UnitScene layers = body();
  const std::vector<Triangle> layer = layers.triangles;
  while (!gpu_may_pay(layers, 256))
    layers.triangles.insert(layers.triangles.end(), layer.begin(), layer.end());
  const DeviceVote vote = device_vote(Device::automatic, &egl::egl_voxelizer(), layers,
                                      boundary_voxels(layers, 256), all_views);
  CHECK(vote.findings.empty());
  CHECK((vote.device == "cpu") == !hardware);
}

TEST_CASE("egl takes the first usable device, software drivers too", "[egl]") {
  const std::vector<egl::EglDevice> devices = egl::probe_egl_devices();
  if (devices.empty() || !devices[0].usable) test::skip("no usable EGL device");
  const DeviceVote vote = device_vote(Device::egl, &egl::egl_voxelizer(), body(),
                                      boundary_voxels(body(), 32), all_views);
  CHECK(vote.device == devices[0].renderer);
  CHECK(vote.findings.empty());
  CHECK(vote.voted.solid.interior_voxels > 0);
}

}  // namespace
}  // namespace gvbind
