// Measures the evidence for `auto`: the votes of a character by the CPU and by the first usable
// EGL device in turn, and the time to start one. Not run by ctest.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>

#include "characters/characters.h"
#include "egl/egl_context.h"
#include "egl/reference.h"
#include "egl/slab_voxelizer.h"
#include "gvbind/solid/column_voxelizer.h"
#include "gvbind/solid/voxelize.h"

namespace gvbind {
namespace {

struct Seconds {
  double wall = std::numeric_limits<double>::infinity();
  double processor = std::numeric_limits<double>::infinity();  ///< of all threads

  void keep_least(const Seconds& other) {
    wall = std::min(wall, other.wall);
    processor = std::min(processor, other.processor);
  }
};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work>
Seconds time_of(const Work& work) {
  const double processor = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), processor_seconds() - processor};
}

void compare(egl::EglContext& context, const LatticeMesh& unit, int resolution, int runs) {
  Seconds cpu, egl;
  AxisVotes by_cpu, by_egl;
  for (int i = 0; i < runs; ++i) {
    cpu.keep_least(time_of([&] { by_cpu = voxelize_columns(unit, resolution); }));
    egl.keep_least(time_of([&] { by_egl = egl::voxelize_slabs(context, unit, resolution); }));
  }
  std::size_t different = 0, inside = 0;
  for (int axis = 0; axis < 3; ++axis) {
    different += test::differences(by_cpu.axis[axis], by_egl.axis[axis]);
    inside += test::count(by_cpu.axis[axis]);
  }
  std::printf(
      "%6d  cpu %7.3f s (%7.3f)  egl %7.3f s (%7.3f)  ratio %5.1f  %zu of %zu votes  %.3g "
      "crossings\n",
      resolution, cpu.wall, cpu.processor, egl.wall, egl.processor, egl.wall / cpu.wall, different,
      inside, estimate_crossings(unit, resolution));
}

int run(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "egl_bench FILE RUNS RESOLUTION...\n");
    return 2;
  }
  std::vector<egl::EglDevice> devices;
  const Seconds probe = time_of([&] { devices = egl::probe_egl_devices(); });
  if (devices.empty() || !devices.front().usable) {
    std::fprintf(stderr, "no usable EGL device\n");
    return 7;
  }
  std::optional<egl::EglContext> context;
  const Seconds open = time_of([&] { context.emplace(devices.front()); });
  const test::JoinedMesh mesh = test::join(test::load_character(words[1]));
  const test::UnitScene unit =
      test::normalize(mesh.positions, mesh.triangles, bone_segments(mesh.joints));
  const Seconds first = time_of([&] { egl::voxelize_slabs(*context, unit, 16); });
  std::printf("%s, %zu triangles, %s: probe %.3f s, context %.3f s, first votes at 16 %.3f s\n",
              words[1], unit.triangles.size(), devices.front().renderer.c_str(), probe.wall,
              open.wall, first.wall);
  for (int i = 3; i < count; ++i) compare(*context, unit, std::atoi(words[i]), std::atoi(words[2]));
  return 0;
}

}  // namespace
}  // namespace gvbind

int main(int count, char** words) {
  try {
    return gvbind::run(count, words);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 70;
  }
}
