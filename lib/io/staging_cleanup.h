#pragma once

// Tested by tests/unit/io/atomic_write_test.cpp.

#include <string>
#include <vector>

namespace gvbind {

/// Paths to remove if a signal ends the process: files, then directories, deepest first.
struct StagedPaths {
  std::vector<std::string> files;
  std::vector<std::string> directories;
};

/// Registers `paths` for remove_staged_files() until destroyed. They must not change meanwhile. At
/// most 256 entries are registered at a time; a signal does not clean up more.
class StagingEntry {
 public:
  explicit StagingEntry(const StagedPaths* paths);
  StagingEntry(const StagingEntry&) = delete;
  StagingEntry& operator=(const StagingEntry&) = delete;
  ~StagingEntry();

  /// Unregisters the paths. False if a signal handler is using them: then they must stay alive.
  bool release();

 private:
  const StagedPaths* paths_;
  int slot_ = -1;
};

/// end_on_signal() waits while one exists.
class CommitScope {
 public:
  CommitScope();
  CommitScope(const CommitScope&) = delete;
  CommitScope& operator=(const CommitScope&) = delete;
  ~CommitScope();
};

/// Removes everything that this process staged and did not commit. Safe in a signal handler that
/// ends the process afterwards. Nothing else may be staged or committed after it.
void remove_staged_files() noexcept;

/// Signal handler: removes staged files and exits with 128 + the signal's number. Lets a running
/// commit finish first, because some of its files may have their names already.
void end_on_signal(int signal) noexcept;

}  // namespace gvbind
