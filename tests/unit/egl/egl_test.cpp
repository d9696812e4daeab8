#include "egl/egl_context.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "gvbind/error.h"
#include "support/skip.h"

namespace gvbind {
namespace {

// Runs in a new process with these variables set, because the list of devices is cached per
// process. Returns the number of usable devices, -1 after a crash.
int usable_in_child(const std::vector<std::pair<const char*, const char*>>& variables) {
  const pid_t child = fork();
  if (child == 0) {
    for (const auto& [name, value] : variables) setenv(name, value, 1);
    int usable = 0;
    for (const egl::EglDevice& device : egl::probe_egl_devices()) usable += device.usable;
    _exit(usable);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Must run first, before this process lists devices.
TEST_CASE("a machine without drivers has no usable device", "[egl]") {
  CHECK(usable_in_child({{"__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json"}}) == 0);
}

TEST_CASE("devices are listed with a reason for those that cannot be used", "[egl]") {
  const auto devices = egl::probe_egl_devices();
  if (devices.empty()) test::skip("no EGL");
  bool unusable_before = false, software_before = false;
  for (const egl::EglDevice& d : devices) {
    INFO(d.index << " " << d.renderer << ": " << d.why_not);
    CHECK(d.usable == d.why_not.empty());
    CHECK(d.why_not.find('\n') == std::string::npos);
    if (d.usable) {
      CHECK_FALSE(d.renderer.empty());
      CHECK_FALSE(d.version.empty());
      CHECK_FALSE(unusable_before);
      CHECK_FALSE((software_before && !d.software));
      software_before = d.software;
    }
    unusable_before = !d.usable;
  }
}

TEST_CASE("a missing device is an error", "[egl]") {
  egl::EglDevice device;
  device.index = 1000;
  try {
    egl::EglContext context(device);
    FAIL("made a context");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::resource);
    CHECK(std::string(e.what()).find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace gvbind
