#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace gvbind {

/// A file descriptor, closed at the end of its life.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OpenFile() { closes(); }

  int get() const { return fd_; }  ///< negative: none
  bool closes();                   ///< closes it now; false, with errno, where that fails

 private:
  int fd_ = -1;
};

/// Writes every byte; false, with errno, where that fails.
bool write_all(int fd, std::span<const std::byte> bytes);

}  // namespace gvbind
