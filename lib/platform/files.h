#pragma once

// Tested by tests/unit/platform/files_test.cpp.

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>

namespace gvbind::platform {

// System calls on files: files_posix.cpp, for Linux too, and files_windows.cpp. Functions that
// return a descriptor return -1 and set errno on failure; it is closed on exec. Other functions
// that return int return 0 or errno.

/// Longest name of a file, in bytes of UTF-8.
constexpr std::size_t max_name_bytes = 255;

struct FileStatus {
  enum class Kind { file, folder, link, other };
  Kind kind = Kind::other;
  std::uint64_t size = 0;                ///< bytes
  std::uint64_t device = 0, number = 0;  ///< both: one file of the machine
  timespec written{};                    ///< last write of its content
  timespec changed{};                    ///< last change of any kind
  unsigned permissions = 0;              ///< as in chmod; Windows: 0666 or 0444

  bool is_same_file(const FileStatus& other) const {
    return device == other.device && number == other.number;
  }
};

/// None and errno on failure. Links are followed.
std::optional<FileStatus> status_of(const std::filesystem::path& path);
std::optional<FileStatus> status_of(int fd);

/// Of a link itself.
std::optional<FileStatus> status_of_link(const std::filesystem::path& path);

enum class OpenFor {
  reading,    ///< does not wait for the writer of a pipe
  creating,   ///< writing a file that must not exist yet
  rewriting,  ///< writing an empty file
  appending
};

int open_file(const std::filesystem::path& path, OpenFor what, unsigned permissions = 0666);

/// A folder, and no link to one.
int open_folder(const std::filesystem::path& path);

enum class OpenInside { to_read, to_create, to_lock };

/// A file of an open folder by its name; no link. `to_lock`: for reading and writing, created where
/// it is missing.
int open_inside(int folder, const std::filesystem::path& name, OpenInside how);
int remove_inside(int folder, const std::filesystem::path& name);
/// Replaces a file of that name.
int rename_inside(int folder, const std::filesystem::path& from, const std::filesystem::path& to);

/// The number of bytes, 0 at the end; -1 and errno on failure. Goes on after a signal.
std::ptrdiff_t read_some(int fd, void* data, std::size_t size);
std::ptrdiff_t write_some(int fd, const void* data, std::size_t size);

int close_file(int fd);
int sync_file(int fd);
void sync_folder(const std::filesystem::path& folder);
int set_permissions(int fd, unsigned permissions);

/// Whether an open folder can be removed; else it stays until it is closed.
extern const bool removes_open_folders;

int make_folder(const std::filesystem::path& path, unsigned permissions = 0777);
int make_temporary_folder(const std::filesystem::path& parent, std::filesystem::path& made);
int link_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Also from a signal handler; failures are ignored. The path is in UTF-8.
void remove_file(const char* path) noexcept;
void remove_folder(const char* path) noexcept;

/// Whether files can be created in the folder.
int check_writable(const std::filesystem::path& folder);

}  // namespace gvbind::platform
