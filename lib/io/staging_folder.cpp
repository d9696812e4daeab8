#include "io/staging_folder.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <random>
#include <system_error>
#include <thread>

#include "gvbind/base/path_text.h"
#include "platform/files.h"
#include "platform/system.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

std::string random_name() {
  std::random_device source;
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%08x%08x", source(), source());
  return name.data();
}

OpenFile open_folder(const fs::path& path) { return OpenFile(platform::open_folder(path)); }

/// Whether the open folder is still at this path.
bool lies_at(const OpenFile& folder, const fs::path& path) {
  const auto opened = platform::status_of(folder.get());
  const auto there = platform::status_of_link(path);
  return opened && there && opened->is_same_file(*there);
}

bool is_held(int error) { return error == EWOULDBLOCK || error == EAGAIN || error == EACCES; }

int make_folder(const fs::path& path) {
  const int error = platform::make_folder(path, 0700);
  if (error != EEXIST) return error;
  const auto status = platform::status_of_link(path);
  if (!status) return errno;
  return status->kind == platform::FileStatus::Kind::folder ? 0 : ENOTDIR;
}

/// One attempt; EAGAIN if another process removed the folder meanwhile, or is about to.
int try_to_make(StagingFolder& folder) {
  if (!folder.shared.empty())
    if (const int error = make_folder(folder.shared)) return error;
  if (const int error = make_folder(folder.path)) return error == ENOENT ? EAGAIN : error;
  folder.lock = open_folder(folder.path);
  if (folder.lock.get() < 0) return errno == ENOENT ? EAGAIN : errno;
  // On a disk without locks, only the owning process removes the folder.
  const int error = platform::lock_folder(folder.lock.get());
  return is_held(error) || !lies_at(folder.lock, folder.path) ? EAGAIN : 0;
}

void remove_if_dead(const fs::path& path) {
  const OpenFile folder = open_folder(path);
  if (folder.get() < 0 || platform::lock_folder(folder.get()) != 0 || !lies_at(folder, path))
    return;
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

fs::path staging_directory(const fs::path& output, const std::string& name) {
  const fs::path parent = output.has_parent_path() ? output.parent_path() : fs::path(".");
  return parent / (".gvbind-" + name);
}

StagingFolder new_staging_folder(const fs::path& output, const std::string& name) {
  if (name.empty()) return {{}, staging_directory(output, random_name()), {}};
  const fs::path shared = staging_directory(output, name);
  return {shared, shared / random_name(), {}};
}

int make_staging_folder(StagingFolder& folder) {
  constexpr int max_tries = 1000;
  int error = EAGAIN;
  for (int i = 0; i < max_tries && error == EAGAIN; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    error = try_to_make(folder);
  }
  return error;
}

void remove_dead_staging(const fs::path& output, const std::string& name) {
  const fs::path shared = staging_directory(output, name);
  std::error_code error;
  // Symbolic links are not followed.
  if (!fs::is_directory(fs::symlink_status(shared, error))) {
    fs::remove(shared, error);
    return;
  }
  fs::directory_iterator it(shared, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) remove_if_dead(it->path());
  platform::remove_folder(path_text(shared).c_str());
}

}  // namespace gvbind
