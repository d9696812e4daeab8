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

/// All bytes of a regular file. Devices, pipes and sockets are not opened: they may never end.
/// Throws Error(input) without the path: no file, not to be opened, not to be read.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

/// The same where `allowed`, given the path of the file without symbolic links, does not throw.
std::vector<std::uint8_t> read_file(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& real)>& allowed);

/// The extension of the path in lower case and without its dot, by which formats are told apart.
std::string lower_extension(const std::filesystem::path& path);

/// `stem` + `ending`, in at most as many bytes as a file name may have. A stem too long for that is
/// cut at a character, and ends in "~" and a hash of the whole stem instead.
std::string fitting_name(const std::string& stem, const std::string& ending);

}  // namespace gvbind
