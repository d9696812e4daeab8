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
  bool overwrite = false;           ///< files that are there already; else Error(output)
  bool create_directories = false;  ///< of the output's path; else a missing one is Error(output)
  /// The same for every run with this output, which then removes what killed ones have left.
  /// Empty: nothing is looked for.
  std::string staging_name = {};
  /// With `overwrite`: why a file that is there has to stay nevertheless, empty if it may go. Asked
  /// with its relative path (empty: the main file) before anything is staged and again right before
  /// it is replaced; one that changes after that is put back.
  std::function<std::string(const std::string&)> why_keep = {};
};

/// Throws Error(output) where the path, or a name in it, is too long for a file.
void check_path_length(const std::filesystem::path& path);

/// An output on its way: written, but not yet under its name. It lies in a directory `.gvbind-*`
/// beside the output, main file and sidecars as they will lie, so that it can be read back before
/// commit, while the disk is still at work. What is not committed is removed, directories made for
/// it too.
class StagedFiles {
 public:
  /// `path` names the main file (that with an empty relative path, exactly one). A sidecar that is
  /// there already with the same bytes is left alone. Throws Error(output), beginning with `path`:
  /// no directory, not writable, exists, is not a file, disk full, a sidecar that would leave the
  /// directory.
  StagedFiles(const std::vector<EncodedFile>& files, std::filesystem::path path,
              const WriteOptions& options = {});
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  /// Where the main file can be read before commit.
  std::filesystem::path staged_main() const;

  /// Waits until all is on the disk, then gives every file its name, the main one last. On failure
  /// what stood there before stands there again. Throws Error(output) as above. At most once.
  void commit();

 private:
  friend void commit_together(std::span<StagedFiles* const> outputs);
  struct State;
  std::unique_ptr<State> state_;
};

/// Several outputs that appear together or not at all; null stands for none. As commit().
void commit_together(std::span<StagedFiles* const> outputs);

/// StagedFiles and commit in one.
void write_files(const std::vector<EncodedFile>& files, const std::filesystem::path& path,
                 const WriteOptions& options = {});

}  // namespace gvbind
