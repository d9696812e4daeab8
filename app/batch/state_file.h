#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "io/file_io.h"

namespace gvbind {

// The state of an output lies beside it, in the directory `.gvbind`. Only regular files in
// a real directory are read or replaced there: nothing follows a symbolic link or waits for a pipe.

/// Whether a power cut may undo a write: `cached` is for state that can be computed again.
enum class Durability { cached, synced };

/// `.gvbind/NAME` + `extension`, where NAME is the output's file name; see fitting_name().
std::filesystem::path state_path(const std::filesystem::path& output, const char* extension);

/// The directory of a file of state, made where it is missing, and no link to one; or none, with
/// errno.
OpenFile open_state_directory(const std::filesystem::path& directory);

/// None where nothing is there. Throws Error(output) where something is that cannot be read, or
/// is something else: to take that for none would forget which outputs are ours.
std::optional<std::string> read_state_file(const std::filesystem::path& path);

/// Whole or not at all, through a temporary file in the same directory. Makes the directory.
/// Throws Error(output).
void write_state_file(const std::filesystem::path& path, const std::string& bytes,
                      Durability durability = Durability::cached);

/// Removes the temporary file of a process that was killed while it wrote `path`.
void remove_unfinished(const std::filesystem::path& path);

/// Throws Error(output) where write_state_file() cannot work: the directory, or the file at `path`,
/// is of another kind than a directory and a regular file. Neither has to exist.
void check_state_file(const std::filesystem::path& path);

/// The right to bind to an output, which one process has at a time while this lives. It ends with
/// the process, however that ends. Advisory, and by asset: a byte of the file `.gvbind/lock` beside
/// the output, so that shards and batches of other assets in the same directory never meet. A disk
/// that has no locks grants it to all.
class AssetLock {
 public:
  /// Tries for so long to get it.
  explicit AssetLock(const std::filesystem::path& output, std::chrono::milliseconds patience = {});

  bool held() const { return held_; }

 private:
  OpenFile file_;
  bool held_ = true;
};

std::filesystem::path lock_path(const std::filesystem::path& output);

}  // namespace gvbind
