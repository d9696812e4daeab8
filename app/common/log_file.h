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
  rotate,  ///< FILE becomes FILE.1, FILE.1 becomes FILE.2, and the oldest is deleted
};

/// Destination and format of the events of a run.
struct LogFile {
  std::string path;  ///< "-": stdout; empty: nowhere
  LogFormat format = LogFormat::text;
  LogMode mode = LogMode::append;
  int keep = 7;  ///< number of rotated files to keep
};

/// The files that a run writes for its log, including the rotated ones.
std::vector<NamedFile> files_of(const LogFile& log);

/// Throws Error(output) if one of them exists and is not a log of gvbind, or if lines would be
/// appended to a log in the other format.
void refuse_foreign_log(const LogFile& log);

/// The log level for -v (1) and -vv (2). -q affects only stderr.
LogLevel log_level(int verbose);

/// Null without a log. A line that cannot be written later gives one warning on stderr. Throws
/// Error(output).
std::shared_ptr<const EventLog> open_log(const LogFile& log, LogLevel least,
                                         bool create_directories);

/// Runs a command between the first and the last line of its log; the last one holds the error, if
/// any, and the exit code. `log` may be null.
int with_log(const std::shared_ptr<const EventLog>& log, const std::string& command,
             const std::function<int()>& run);

}  // namespace gvbind
