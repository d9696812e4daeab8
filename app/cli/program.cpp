#include "cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "cli/command_line.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "gvbind/error.h"
#include "io/staging_cleanup.h"
#include "platform/system.h"

namespace gvbind {

namespace {

/// Keeps files that are opened later from taking the numbers of standard streams that the caller
/// has closed, where text meant for a stream would end up in them. Writing to such a stream fails.
void reserve_standard_descriptors() {
  // Opened the wrong way round. The lowest free number is the one that is taken.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// The exit code of the process: `code`, or that of ErrorKind::output, with a line on stderr, where
/// a command that succeeded could not write all of its text to stdout. To be called last.
int close_standard_output(int code) {
  const bool lost_before = std::ferror(stdout) != 0;
  const int copy = dup(STDOUT_FILENO);
  errno = 0;
  // Some network disks report only when a file is closed that they are full.
  const bool lost = std::fflush(stdout) != 0 || (copy >= 0 && close(copy) != 0);
  if (!lost && !lost_before) return code;
  const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  print_finding(Severity::error, "stdout: cannot be written" + why);
  return code <= 1 ? exit_code(ErrorKind::output) : code;
}

/// Signals that the caller ignores (nohup) stay ignored.
void install_cleanup_handlers() {
  struct sigaction end {
  }, old{};
  end.sa_handler = end_on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU})
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signal, &end, nullptr);
  // A file that would grow beyond its limit is then a failed write like any other.
  signal(SIGXFSZ, SIG_IGN);
}

int run(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (...) {
    const Error error = caught_error();
    print_finding(Severity::error, error.what());
    return exit_code(error.kind());
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  reserve_standard_descriptors();
  platform::keep_freed_memory();
  install_cleanup_handlers();
  return close_standard_output(run(argc, argv));
}

}  // namespace gvbind
