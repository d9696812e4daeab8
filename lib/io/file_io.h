#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gvbind {

/// An owned file descriptor.
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
  bool closes();                   ///< closes it; false, with errno, on failure

 private:
  int fd_ = -1;
};

/// A regular file for reading; none if it is missing or of another kind. Does not wait for the
/// writer of a pipe.
OpenFile open_regular(const std::filesystem::path& path);

/// Writes all bytes; false, with errno, on failure.
bool write_all(int fd, std::span<const std::byte> bytes);

/// All bytes of a regular file. Does not open devices, pipes and sockets, which might never end.
/// Throws Error(input) without the path: no file, cannot be opened, cannot be read.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

/// As above. `allowed` gets the path with symbolic links resolved and may throw.
std::vector<std::uint8_t> read_file(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& real)>& allowed);

/// Lower-case extension without its dot; selects the format.
std::string lower_extension(const std::filesystem::path& path);

/// `stem` + `ending`, within the length limit of file names. A longer stem is cut at a character
/// and ends in "~" and a hash of the whole stem.
std::string fitting_name(const std::string& stem, const std::string& ending);

}  // namespace gvbind
