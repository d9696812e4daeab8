#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/encoded_file.h"

namespace gvbind {

struct WriteOptions {
  bool overwrite = false;  ///< replaces existing files; otherwise they are Error(output)
  /// For the output's path; otherwise a missing one is Error(output).
  bool create_directories = false;
  /// Identifies the output across runs. A run removes the remains of killed runs with the same
  /// name. Empty: no cleanup.
  std::string staging_name = {};
  /// With `overwrite`: the reason why an existing file must not be replaced, empty if it may.
  /// Called with its relative path (empty: the main file) before staging and again right before the
  /// file is replaced; a file that changed in between is put back.
  std::function<std::string(const std::string&)> why_keep = {};
};

/// Throws Error(output) if the path, or a name in it, is too long for the file system.
void check_path_length(const std::filesystem::path& path);

/// Throws Error(output) where a file exists that must not be overwritten.
void refuse_existing(const std::filesystem::path& path, bool overwrite);

/// Throws Error(output) where an output is a file that is read beside `input`: --force may replace
/// the input, but not those. `what` names that file in the message.
void refuse_other_input(const std::filesystem::path& output, const std::filesystem::path& input,
                        const std::filesystem::path& read, const std::string& what);

/// An output written to a staging directory `.gvbind-*` beside its destination, with main file and
/// sidecars in their final arrangement. It can be read back before commit(), while the disk is
/// still writing. Without commit() it is removed, including directories created on the way.
class StagedFiles {
 public:
  /// `path` is the main file's, the one with an empty relative path; there must be exactly one.
  /// Existing sidecars with the same bytes are left alone. Throws Error(output), starting with
  /// `path`: no directory, not writable, exists, not a file, disk full, a sidecar outside the
  /// directory.
  StagedFiles(const std::vector<EncodedFile>& files, std::filesystem::path path,
              const WriteOptions& options = {});
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  /// Path of the main file until commit().
  std::filesystem::path staged_main() const;

  /// Waits until everything is on disk, then renames each file to its destination, the main file
  /// last. On failure, previous files are restored. Throws Error(output) as above. Call at most
  /// once.
  void commit();

 private:
  friend void commit_together(std::span<StagedFiles* const> outputs);
  struct State;
  std::unique_ptr<State> state_;
};

/// Commits several outputs, all or none; null entries are skipped. Throws like commit().
void commit_together(std::span<StagedFiles* const> outputs);

/// StagedFiles followed by commit().
void write_files(const std::vector<EncodedFile>& files, const std::filesystem::path& path,
                 const WriteOptions& options = {});

}  // namespace gvbind
