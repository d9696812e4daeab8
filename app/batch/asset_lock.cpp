#include "batch/asset_lock.h"

#include <fcntl.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <thread>

#include "batch/state_file.h"
#include "common/content_hash.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// No file is that long, nor has it to be.
off_t lock_offset(const fs::path& output) {
  const std::string hash = hash_of(output.filename().string()).substr(0, 15);
  return static_cast<off_t>(std::stoull(hash, nullptr, 16));
}

/// Errno, or 0.
int try_lock(int fd, off_t offset) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = offset;
  byte.l_len = 1;
  // Of the open file and not of the process: another lock of this process must not end this one.
  return fcntl(fd, F_OFD_SETLK, &byte) == 0 ? 0 : errno;
}

}  // namespace

AssetLock::AssetLock(const fs::path& output, std::chrono::milliseconds patience) {
  const fs::path path = lock_path(output);
  const OpenFile directory = open_state_directory(path.parent_path());
  if (directory.get() < 0) return;  // writing the output will report why
  file_ = OpenFile(openat(directory.get(), path.filename().c_str(),
                          O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (file_.get() < 0) return;  // as well
  const auto end = Clock::now() + patience;
  for (;;) {
    const int error = try_lock(file_.get(), lock_offset(output));
    held_ = error != EAGAIN && error != EACCES && error != EINTR;
    if (held_ || Clock::now() >= end) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

fs::path lock_path(const fs::path& output) { return output.parent_path() / ".gvbind" / "lock"; }

}  // namespace gvbind
