// Tested by tests/egl/egl_test.cpp.

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "gvbind/solid/gpu_context/egl_context.h"
#include "gvbind/solid/gpu_context/egl_state.h"
#include "gvbind/solid/slab_voxelizer/slab_voxelizer.h"

namespace gvbind {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds time_limit{15};

struct Answer {
  std::vector<std::string> lines;  // complete ones only
  std::string trouble;             // how the child ended, if not well
};

class Child {
 public:
  // Runs `work` with the writing end of a pipe in a process of its own. What the driver says on
  // the standard streams is dropped.
  explicit Child(const std::function<void(int)>& work) : deadline_(Clock::now() + time_limit) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      become_quiet();
      work(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    if (pid_ < 0)
      close(ends[0]);
    else
      pipe_ = ends[0];
  }
  Child(Child&& other) noexcept
      : deadline_(other.deadline_),
        pid_(std::exchange(other.pid_, -1)),
        pipe_(std::exchange(other.pipe_, -1)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pipe_ >= 0) close(pipe_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      end();
    }
  }

  Answer wait() {
    if (pid_ < 0) return {{}, "no process to try it in"};
    std::string text;
    const bool in_time = read_all(text);
    if (!in_time) kill(pid_, SIGKILL);
    const int status = end();
    Answer answer;
    for (std::size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
      answer.lines.push_back(text.substr(from, to - from));
    if (!in_time)
      answer.trouble = "the driver hangs";
    else if (WIFSIGNALED(status))
      answer.trouble = "the driver crashes (signal " + std::to_string(WTERMSIG(status)) + ")";
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      answer.trouble = "the driver ends the process";
    return answer;
  }

 private:
  static void become_quiet() {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT})
      std::signal(number, SIG_DFL);
    std::signal(SIGPIPE, SIG_IGN);
    const int no_direction = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      if (no_direction >= 0) dup2(no_direction, stream);
  }

  // False when time is up.
  bool read_all(std::string& text) const {
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
      if (left.count() <= 0) return false;
      pollfd event{pipe_, POLLIN, 0};
      const int ready = poll(&event, 1, static_cast<int>(left.count()));
      if (ready < 0 && errno != EINTR) return false;
      if (ready <= 0) continue;
      char buffer[4096];
      const ssize_t got = read(pipe_, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return true;
      text.append(buffer, static_cast<std::size_t>(got));
    }
  }

  int end() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  Clock::time_point deadline_;
  pid_t pid_ = -1;
  int pipe_ = -1;
};

void write_line(int pipe, std::string line) {
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t wrote = write(pipe, line.data() + done, line.size() - done);
    if (wrote < 0 && errno != EINTR) _exit(1);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

// A box of 6 voxels a side whose top is doubled by a sheet of both facings above it.
LatticeMesh trial_scene() {
  constexpr int low = lattice_size / 4, high = low + 6 * lattice_size / 16;
  constexpr int above = high + 2 * lattice_size / 16;
  LatticeMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.emplace_back(i & 1 ? high : low, i & 2 ? high : low, i & 4 ? high : low);
  for (int i = 0; i < 4; ++i)
    mesh.positions.emplace_back(i & 1 ? high : low, i & 2 ? high : low, above + 1000 * i);
  mesh.triangles = {{0, 2, 1},  {1, 2, 3},   {4, 5, 6},  {5, 7, 6},  {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3},  {3, 6, 7},   {0, 4, 2},  {2, 4, 6},  {1, 3, 5}, {3, 7, 5},
                    {8, 9, 10}, {9, 11, 10}, {8, 10, 9}, {9, 10, 11}};
  return mesh;
}

// Why the device fails on the small mesh, if it does.
std::optional<std::string> try_voxelizing(EglContext& context) {
  const LatticeMesh mesh = trial_scene();
  for (const unsigned views : {unsigned(all_views), 21u, 42u}) {
    const AxisVotes votes = voxelize_slabs(context, mesh, 16, views);
    for (const BitGrid& grid : votes.axis)
      for (int z = 0; z < 16; ++z)
        for (int y = 0; y < 16; ++y)
          for (int x = 0; x < 16; ++x) {
            const bool inside = std::min({x, y, z}) >= 4 && std::max({x, y, z}) < 10;
            if (grid.test(x, y, z) != inside) return "draws a trial body wrongly";
          }
  }
  return std::nullopt;
}

// Says what it learns as it goes, so that a crash later on does not lose it.
void try_device(int index, int pipe) {
  try {
    EglDevice device;
    device.index = index;
    EglContext context(device);
    for (const GLenum name : {GL_VENDOR, GL_RENDERER, GL_VERSION})
      write_line(pipe, context.state().gl_string(name));
    write_line(pipe, try_voxelizing(context).value_or("works"));
  } catch (const std::exception& problem) {
    for (int i = 0; i < 3; ++i) write_line(pipe, "");
    write_line(pipe, problem.what());
  }
}

bool is_software(const std::string& renderer) {
  for (const char* name :
       {"llvmpipe", "softpipe", "swrast", "lavapipe", "SwiftShader", "SWR", "Software Rasterizer"})
    if (renderer.find(name) != std::string::npos) return true;
  return false;
}

EglDevice judge(int index, Answer answer) {
  EglDevice device;
  device.index = index;
  const std::size_t said = answer.lines.size();
  answer.lines.resize(std::max<std::size_t>(said, 4));
  device.vendor = answer.lines[0];
  device.renderer = answer.lines[1];
  device.version = answer.lines[2];
  device.software = is_software(device.renderer);
  device.usable = answer.trouble.empty() && said == 4 && answer.lines[3] == "works";
  if (!device.usable)
    device.why_not = answer.trouble.empty() ? answer.lines.back() : answer.trouble;
  return device;
}

std::vector<EglDevice> probe_now() {
  const Answer found = Child([](int pipe) {
                         const EglOffer offer = find_egl_devices();
                         write_line(pipe, std::to_string(offer.count));
                         write_line(pipe, offer.surfaceless ? "surfaceless" : "");
                       }).wait();
  std::vector<EglDevice> devices;
  if (!found.trouble.empty() || found.lines.size() < 2) {
    devices.emplace_back().why_not = "while devices are counted, " + found.trouble;
    return devices;
  }
  std::vector<int> places;
  for (int i = 0; i < std::min(std::stoi(found.lines[0]), 64); ++i) places.push_back(i);
  if (places.empty() && found.lines[1] == "surfaceless") places.push_back(-1);
  std::vector<Child> children;
  children.reserve(places.size());
  for (const int place : places)
    children.emplace_back([place](int pipe) { try_device(place, pipe); });
  for (std::size_t i = 0; i < places.size(); ++i)
    devices.push_back(judge(places[i], children[i].wait()));
  const auto rank = [](const EglDevice& d) { return d.usable ? (d.software ? 1 : 0) : 2; };
  std::stable_sort(devices.begin(), devices.end(),
                   [&](const EglDevice& a, const EglDevice& b) { return rank(a) < rank(b); });
  return devices;
}

}  // namespace

std::vector<EglDevice> probe_egl_devices() {
  static const std::vector<EglDevice> devices = [] {
    try {
      return probe_now();
    } catch (const std::exception& problem) {
      EglDevice none;
      none.why_not = problem.what();
      return std::vector<EglDevice>{none};
    }
  }();
  return devices;
}

}  // namespace gvbind
