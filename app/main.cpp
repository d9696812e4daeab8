// Tested by tests/app/cli_test.py.

#include <signal.h>

#include <string>

#include "assets/staging_cleanup.h"
#include "cli/command_line.h"
#include "common/caught_error.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "process_setup.h"

namespace {

/// Signals that the caller ignores (nohup) stay ignored.
void leave_nothing_when_killed() {
  struct sigaction end {
  }, old{};
  end.sa_handler = gvbind::end_on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU})
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signal, &end, nullptr);
  // A file that would grow beyond its limit is then a failed write like any other.
  signal(SIGXFSZ, SIG_IGN);
}

int run(int argc, char** argv) {
  try {
    return gvbind::run_command_line(argc, argv);
  } catch (...) {
    const gvbind::Error error = gvbind::caught_error();
    gvbind::print_line(stderr, std::string("gvbind: ") + error.what());
    return exit_code(error.kind());
  }
}

}  // namespace

int main(int argc, char** argv) {
  gvbind::occupy_standard_streams();
  gvbind::keep_freed_memory();
  leave_nothing_when_killed();
  return gvbind::close_standard_output(run(argc, argv));
}
