#include "process_setup.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "common/console.h"
#include "common/exit_codes.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

// Larger blocks go back to the system when they are freed, so that the peak stays what is in use.
constexpr int own_mapping_from = 64 << 20;
// Addresses alone: what nobody touches takes no memory.
constexpr std::size_t reserved = std::size_t{128} << 20;
constexpr int trim_from = 256 << 20;
constexpr std::size_t large_page = std::size_t{2} << 20;

std::byte* page_at_or_before(void* address) {
  return static_cast<std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % large_page;
}

}  // namespace

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

void keep_freed_memory() {
#ifndef GVBIND_SANITIZED
  mallopt(M_TRIM_THRESHOLD, trim_from);
  mallopt(M_MMAP_THRESHOLD, trim_from);
  void* block = std::malloc(reserved);
  std::byte* const begin = page_at_or_before(block) + large_page;
  std::byte* const end = page_at_or_before(sbrk(0));
  // Where the system has no large pages this fails, and all goes on with small ones.
  if (block && begin < end) madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE);
  std::free(block);
  mallopt(M_MMAP_THRESHOLD, own_mapping_from);
#endif
}

}  // namespace gvbind
