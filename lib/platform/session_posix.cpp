// Tested by tests/command/cli_test.py.

#include "platform/session.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "platform/system.h"

extern char** environ;

namespace gvbind::platform {

namespace {

#ifdef GVBIND_SANITIZED
constexpr bool memory_is_ours = false;  // the limit would count the sanitizer's shadow memory
#else
constexpr bool memory_is_ours = true;
#endif

// Thread stacks and the reserve of malloc are allocated but may never be touched.
constexpr std::uint64_t untouched_bytes = std::uint64_t{128} << 20;

constexpr std::array<int, 3> stop_signals = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

struct StopHandlers::State {
  std::array<struct sigaction, stop_signals.size()> actions{};
};

void prepare_streams() {
  // Opened the wrong way round. The lowest free number is the one that is taken.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

std::vector<std::string> arguments(int argc, char** argv) { return {argv, argv + argc}; }

int settle_stream(std::FILE* stream) {
  const int copy = dup(fileno(stream));
  errno = 0;
  const bool lost = std::fflush(stream) != 0 || (copy >= 0 && close(copy) != 0);
  if (!lost) return 0;
  return errno == 0 ? EIO : errno;
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

bool takes_escapes(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  return is_terminal(stream) && terminal && std::strcmp(terminal, "dumb") != 0;
}

std::size_t terminal_columns(std::FILE* stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void handle_ending_signals(SignalHandler handler) {
  struct sigaction end {
  }, old{};
  end.sa_handler = handler;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU})
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signal, &end, nullptr);
  signal(SIGXFSZ, SIG_IGN);
}

StopHandlers::StopHandlers(SignalHandler handler) : before_(std::make_unique<State>()) {
  struct sigaction stop {};
  stop.sa_handler = handler;
  for (std::size_t i = 0; i < stop_signals.size(); ++i) {
    sigaction(stop_signals[i], nullptr, &before_->actions[i]);
    if (before_->actions[i].sa_handler != SIG_IGN) sigaction(stop_signals[i], &stop, nullptr);
  }
}

StopHandlers::~StopHandlers() {
  for (std::size_t i = 0; i < stop_signals.size(); ++i)
    sigaction(stop_signals[i], &before_->actions[i], nullptr);
}

void block_ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
}

void tell_staged(const void*, const std::vector<std::string>&, const std::vector<std::string>&) {}

void tell_unstaged(const void*) {}

void tell_committing(bool) {}

SystemMemory system_memory() {
  const auto of_system = [](int name) { return static_cast<std::uint64_t>(sysconf(name)); };
  const std::uint64_t page = of_system(_SC_PAGESIZE);
  return {of_system(_SC_PHYS_PAGES) * page, of_system(_SC_AVPHYS_PAGES) * page};
}

void limit_allocations(std::uint64_t bytes) {
  rlimit data{};
  if (!memory_is_ours || getrlimit(RLIMIT_DATA, &data) != 0) return;
  data.rlim_cur =
      std::min<rlim_t>(bytes + process_memory(getpid()).data + untouched_bytes, data.rlim_max);
  setrlimit(RLIMIT_DATA, &data);
}

timespec now_of_files() {
  timespec moment{};
  clock_gettime(CLOCK_REALTIME_COARSE, &moment);
  return moment;
}

int open_on_desktop(const std::filesystem::path& file, std::string& program) {
  program = "xdg-open";
  // A path that begins with '-' would be read as an option.
  std::string name = program, path = std::filesystem::absolute(file).string();
  std::array<char*, 3> words = {name.data(), path.data(), nullptr};
  pid_t id = 0;
  return posix_spawnp(&id, name.c_str(), nullptr, nullptr, words.data(), environ);
}

}  // namespace gvbind::platform
