// Tested by tests/package/npm_test.py.

#include "platform/session.h"

#include <emscripten.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

// The session of a WebAssembly module in Node or a browser. Node takes signals in another thread
// (app/npm/gvbind.js); memory ends at 4 GiB.

namespace gvbind::platform {

struct StopHandlers::State {};

void prepare_streams() {}

std::vector<std::string> arguments(int argc, char** argv) { return {argv, argv + argc}; }

int settle_stream(std::FILE* stream) {
  errno = 0;
  if (std::fflush(stream) == 0) return 0;
  return errno == 0 ? EIO : errno;
}

bool is_terminal(std::FILE* stream) {
  return EM_ASM_INT({ return Module["isTerminal"] && Module["isTerminal"]($0) ? 1 : 0; },
                    fileno(stream)) != 0;
}

bool takes_escapes(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  return is_terminal(stream) && terminal && std::strcmp(terminal, "dumb") != 0;
}

std::size_t terminal_columns(std::FILE*) { return 0; }

void handle_ending_signals(SignalHandler) {}

StopHandlers::StopHandlers(SignalHandler) {}

StopHandlers::~StopHandlers() = default;

void block_ending_signals() {}

void tell_staged(const void* owner, const std::vector<std::string>& files,
                 const std::vector<std::string>& folders) {
  for (const std::vector<std::string>* paths : {&files, &folders})
    for (const std::string& path : *paths)
      EM_ASM(
          {
            if (Module["staged"]) Module["staged"]($0, UTF8ToString($1), $2);
          },
          owner, path.c_str(), paths == &folders);
}

void tell_unstaged(const void* owner) {
  EM_ASM(
      {
        if (Module["unstaged"]) Module["unstaged"]($0);
      },
      owner);
}

void tell_committing(bool committing) {
  EM_ASM(
      {
        if (Module["committing"]) Module["committing"]($0);
      },
      committing);
}

SystemMemory system_memory() {
  const std::uint64_t total = emscripten_get_heap_max();
  return {total, total - emscripten_get_heap_size()};
}

void limit_allocations(std::uint64_t) {}

timespec now_of_files() {
  timespec moment{};
  clock_gettime(CLOCK_REALTIME, &moment);
  return moment;
}

int open_on_desktop(const std::filesystem::path&, std::string& program) {
  program = "a desktop";
  return ENOSYS;
}

}  // namespace gvbind::platform
