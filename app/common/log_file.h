#pragma once

// Tested by tests/command/log_test.py.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/report_files.h"
#include "log/event_log.h"

namespace gvbind {

enum class LogMode {
  append,
  truncate,
  rotate,  ///< FILE becomes FILE.1, that FILE.2, and the oldest goes
};

/// Where the events of a run go, and how.
struct LogFile {
  std::string path;  ///< "-": stdout; empty: nowhere
  LogFormat format = LogFormat::text;
  LogMode mode = LogMode::append;
  int keep = 7;  ///< old files of LogMode::rotate
};

/// What a run writes for its log: the file, and those that rotating gives other names.
std::vector<NamedFile> files_of(const LogFile& log);

/// Throws Error(output) where one of them is there and no log of gvbind, or is to be appended to
/// and has the other format.
void refuse_foreign_log(const LogFile& log);

/// How much is written: what -v (1) and -vv (2) add. -q is about stderr alone.
LogLevel log_level(int verbose);

/// Null where there is no log. What cannot be written later is a warning on stderr, once. Throws
/// Error(output).
std::shared_ptr<const EventLog> open_log(const LogFile& log, LogLevel least,
                                         bool create_directories);

/// Runs a command between the first and the last line of its log: what ends it, its exit code.
/// `log` may be null.
int with_log(const std::shared_ptr<const EventLog>& log, const std::string& command,
             const std::function<int()>& run);

}  // namespace gvbind
