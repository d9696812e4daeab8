#include <signal.h>

#include <exception>
#include <new>
#include <string>

#include "assets/write.h"
#include "cli.h"
#include "console.h"
#include "gvbind/error.h"
#include "heap.h"

namespace {

/// Signals that the caller ignores (nohup) stay ignored.
void leave_nothing_when_killed() {
  struct sigaction end {
  }, old{};
  end.sa_handler = gvbind::end_on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signal, &end, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  gvbind::keep_freed_memory();
  leave_nothing_when_killed();
  try {
    return gvbind::run_command_line(argc, argv);
  } catch (const gvbind::Error& error) {
    gvbind::print_line(stderr, std::string("gvbind: ") + error.what());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    gvbind::print_line(stderr, "gvbind: out of memory");
    return static_cast<int>(gvbind::ErrorKind::resource);
  } catch (const std::exception& error) {
    gvbind::print_line(stderr, std::string("gvbind: internal error: ") + error.what());
    return static_cast<int>(gvbind::ErrorKind::internal);
  }
}
