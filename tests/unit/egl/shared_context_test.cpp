#include "egl/shared_context.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "egl/egl_context.h"
#include "egl/egl_state.h"
#include "egl/reference.h"
#include "egl/slab_voxelizer.h"
#include "gvbind/error.h"
#include "support/skip.h"

namespace gvbind {
namespace {

test::UnitScene body() { return test::centered(test::capsule({0, 0, 0}, {1, 2, 3}, 1.0)); }

std::optional<egl::EglDevice> usable_device() {
  for (const egl::EglDevice& device : egl::probe_egl_devices())
    if (device.usable) return device;
  test::skip("no usable EGL device");
  return std::nullopt;
}

AxisVotes shared_votes(const egl::EglDevice& device) {
  AxisVotes votes;
  egl::with_shared_context(
      device, [&](egl::EglContext& context) { votes = egl::voxelize_slabs(context, body(), 32); });
  return votes;
}

// Exit code of a forked process; -1 if a signal ended it.
int code_of_child(const std::function<int()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    // Turns a hang into a failure.
    alarm(60);
    std::exit(work());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Must run first, before this process opens a device.
TEST_CASE("a process that has used its context ends cleanly", "[egl]") {
  const auto device = usable_device();
  if (!device) return;
  CHECK(code_of_child([&] {
          for (int i = 0; i < 3; ++i)
            if (test::count(shared_votes(*device).axis[0]) == 0) return 1;
          return 0;
        }) == 0);
}

// A new context has no shaders yet.
bool used_before(egl::EglContext& context) { return context.state().programs.has_value(); }

TEST_CASE("one context serves call after call, from any thread", "[egl]") {
  const auto device = usable_device();
  if (!device) return;
  const AxisVotes before = shared_votes(*device);
  std::vector<AxisVotes> votes(3);
  std::atomic<int> kept{0};
  {
    std::vector<std::jthread> threads;
    for (AxisVotes& mine : votes)
      threads.emplace_back([&] {
        egl::with_shared_context(*device, [&](egl::EglContext& context) {
          kept += used_before(context);
          mine = egl::voxelize_slabs(context, body(), 32);
        });
      });
  }
  egl::with_shared_context(*device,
                           [&](egl::EglContext& context) { kept += used_before(context); });
  CHECK(kept == 4);
  for (const AxisVotes& mine : votes)
    for (int axis = 0; axis < 3; ++axis)
      CHECK(test::differences(mine.axis[axis], before.axis[axis]) == 0);
}

TEST_CASE("after a failure the next call has a fresh context", "[egl]") {
  const auto device = usable_device();
  if (!device) return;
  const AxisVotes before = shared_votes(*device);
  CHECK_THROWS_AS(egl::with_shared_context(
                      *device, [](egl::EglContext&) { throw Error(ErrorKind::resource, "lost"); }),
                  Error);
  egl::with_shared_context(*device,
                           [](egl::EglContext& context) { CHECK_FALSE(used_before(context)); });
  egl::EglDevice none;
  none.index = 1000;
  CHECK_THROWS_AS(egl::with_shared_context(none, [](egl::EglContext&) { FAIL("made a context"); }),
                  Error);
  const AxisVotes after = shared_votes(*device);
  CHECK(test::differences(before.axis[2], after.axis[2]) == 0);
}

TEST_CASE("a call within a call does not disturb it", "[egl]") {
  const auto device = usable_device();
  if (!device) return;
  AxisVotes before, within, after;
  egl::with_shared_context(*device, [&](egl::EglContext& context) {
    before = egl::voxelize_slabs(context, body(), 32);
    within = shared_votes(*device);
    egl::EglDevice none;
    none.index = 1000;
    CHECK_THROWS_AS(egl::with_shared_context(none, [](egl::EglContext&) {}), Error);
    after = egl::voxelize_slabs(context, body(), 32);
  });
  CHECK(test::count(before.axis[0]) > 0);
  CHECK(test::differences(before.axis[0], within.axis[0]) == 0);
  CHECK(test::differences(before.axis[0], after.axis[0]) == 0);
}

TEST_CASE("contexts beside the shared one keep working", "[egl]") {
  const auto device = usable_device();
  if (!device) return;
  egl::EglContext own(*device);
  const AxisVotes before = egl::voxelize_slabs(own, body(), 32);
  const AxisVotes shared = shared_votes(*device);
  egl::EglContext moved = std::move(own);
  const AxisVotes after = egl::voxelize_slabs(moved, body(), 32);
  CHECK(test::count(before.axis[0]) > 0);
  CHECK(test::differences(before.axis[0], shared.axis[0]) == 0);
  CHECK(test::differences(before.axis[0], after.axis[0]) == 0);
}

TEST_CASE("a process forked off later is refused, and ends cleanly", "[egl]") {
  const auto device = usable_device();
  if (!device) return;
  shared_votes(*device);
  CHECK(code_of_child([&] {
          try {
            shared_votes(*device);
          } catch (const Error& error) {
            return error.kind() == ErrorKind::resource ? 3 : 4;
          }
          return 5;
        }) == 3);
  CHECK(code_of_child([&] {
          try {
            const egl::EglContext own(*device);
          } catch (const Error& error) {
            return error.kind() == ErrorKind::resource ? 3 : 4;
          }
          return 5;
        }) == 3);
  CHECK(test::count(shared_votes(*device).axis[0]) > 0);
}

}  // namespace
}  // namespace gvbind
