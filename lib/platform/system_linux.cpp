// Tested by tests/unit/platform/system_test.cpp.

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "platform/posix_error.h"
#include "platform/system.h"

namespace gvbind::platform {

namespace {

// Larger blocks are returned to the system when freed, which keeps the peak at the memory in use.
constexpr int own_mapping_from = 64 << 20;
// Address space only; untouched pages use no memory.
constexpr std::size_t reserved = std::size_t{128} << 20;
constexpr int trim_from = 256 << 20;
constexpr std::size_t large_page = std::size_t{2} << 20;

std::byte* page_at_or_before(void* address) {
  return static_cast<std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % large_page;
}

/// Path of the file behind a descriptor that no change of links can redirect.
std::string handle_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

void end_with_parent(int signal) { prctl(PR_SET_PDEATHSIG, signal); }

// A pipe in core_pattern ignores RLIMIT_CORE.
void forbid_core_dumps() { prctl(PR_SET_DUMPABLE, 0); }

void close_from(int first) { close_range(static_cast<unsigned>(first), ~0U, 0); }

int open_pipe(std::array<int, 2>& ends) { return errno_unless(pipe2(ends.data(), O_CLOEXEC) == 0); }

int open_socket_pair(std::array<int, 2>& ends) {
  return errno_unless(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
}

int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, Rename how) {
  const unsigned flags = how == Rename::no_replace ? RENAME_NOREPLACE
                         : how == Rename::exchange ? RENAME_EXCHANGE
                                                   : 0U;
  return errno_unless(renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0);
}

void begin_sync(int fd) { sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

int open_to_look(const std::filesystem::path& path) {
  return open(path.c_str(), O_PATH | O_CLOEXEC);
}

int open_to_read(int looked_at) { return open(handle_of(looked_at).c_str(), O_RDONLY | O_CLOEXEC); }

int real_path(int fd, const std::filesystem::path&, std::filesystem::path& real) {
  std::error_code error;
  real = std::filesystem::read_symlink(handle_of(fd), error);
  return error.value();
}

int lock_byte(int fd, std::uint64_t offset) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = static_cast<off_t>(offset);
  byte.l_len = 1;
  return errno_unless(fcntl(fd, F_OFD_SETLK, &byte) == 0);
}

int lock_folder(int fd) { return errno_unless(flock(fd, LOCK_EX | LOCK_NB) == 0); }

int send_quietly(int fd, const void* data, std::size_t size) {
  return errno_unless(send(fd, data, size, MSG_NOSIGNAL) >= 0);
}

ProcessMemory process_memory(pid_t pid) {
  std::array<unsigned long, 6> pages{};
  const std::string path = "/proc/" + std::to_string(pid) + "/statm";
  if (std::FILE* file = std::fopen(path.c_str(), "re")) {
    for (unsigned long& count : pages)
      if (std::fscanf(file, "%lu", &count) != 1) count = 0;
    std::fclose(file);
  }
  const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {.addresses = pages[0] * size, .data = pages[5] * size, .resident = pages[1] * size};
}

void keep_freed_memory() {
#ifndef GVBIND_SANITIZED
  mallopt(M_TRIM_THRESHOLD, trim_from);
  mallopt(M_MMAP_THRESHOLD, trim_from);
  void* block = std::malloc(reserved);
  std::byte* const begin = page_at_or_before(block) + large_page;
  std::byte* const end = page_at_or_before(sbrk(0));
  // Fails on systems without large pages; small ones work as well.
  if (block && begin < end) madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE);
  std::free(block);
  mallopt(M_MMAP_THRESHOLD, own_mapping_from);
#endif
}

void return_freed_memory() { malloc_trim(0); }

}  // namespace gvbind::platform
