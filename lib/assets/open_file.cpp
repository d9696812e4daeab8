#include "assets/open_file.h"

#include <unistd.h>

#include <cerrno>

namespace gvbind {

bool OpenFile::closes() { return fd_ < 0 || close(std::exchange(fd_, -1)) == 0; }

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace gvbind
