#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "console.h"
#include "exit_codes.h"
#include "gvbind/error.h"

namespace gvbind {

void occupy_standard_streams() {
  // Opened the wrong way round. The lowest free number is the one that is taken.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

int close_standard_output(int code) {
  const bool lost_before = std::ferror(stdout) != 0;
  const int copy = dup(STDOUT_FILENO);
  errno = 0;
  // Some network disks report only when a file is closed that they are full.
  const bool lost = std::fflush(stdout) != 0 || (copy >= 0 && close(copy) != 0);
  if (!lost && !lost_before) return code;
  const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  print_line(stderr, "gvbind: stdout: cannot be written" + why);
  return code <= 1 ? exit_code(ErrorKind::output) : code;
}

}  // namespace gvbind
