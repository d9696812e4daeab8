#pragma once

// Tested by tests/unit/io/atomic_write_test.cpp.

#include <string>
#include <vector>

namespace gvbind {

/// Paths to be removed when a signal ends the process: files first, then directories from the
/// deepest.
struct StagedPaths {
  std::vector<std::string> files;
  std::vector<std::string> directories;
};

/// Keeps `paths` where remove_staged_files finds them, until it goes out of scope. Must not change
/// meanwhile. Beyond 256 at a time, paths are not kept, and a signal leaves them behind.
class StagingEntry {
 public:
  explicit StagingEntry(const StagedPaths* paths);
  StagingEntry(const StagingEntry&) = delete;
  StagingEntry& operator=(const StagingEntry&) = delete;
  ~StagingEntry();

  /// Forgets the paths. False where a signal handler has them: they must then stay alive.
  bool release();

 private:
  const StagedPaths* paths_;
  int slot_ = -1;
};

/// While one lives, end_on_signal waits.
class CommitScope {
 public:
  CommitScope();
  CommitScope(const CommitScope&) = delete;
  CommitScope& operator=(const CommitScope&) = delete;
  ~CommitScope();
};

/// Removes what is staged and not committed in this process. Safe in a signal handler that ends the
/// process afterwards; nothing else may be staged or committed after it.
void remove_staged_files() noexcept;

/// A handler for signals that end the process: removes what is staged and exits with 128 + the
/// signal's number. A commit under way is let finish first, since half of its files may have their
/// names already.
void end_on_signal(int signal) noexcept;

}  // namespace gvbind
