#pragma once

// Tested by tests/command/log_test.py.

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gvbind {

enum class LogLevel { trace, debug, info, warning, error };

enum class LogFormat { text, json };

/// What has happened; an empty member has no part in it.
struct LogEvent {
  LogLevel level = LogLevel::info;
  std::string asset, stage;
  std::string finding;  ///< its code
  std::string message;
};

/// Turns events into lines, each with its time in UTC. JSON is an object with the keys "time",
/// "level", "asset", "stage", "finding" and "message"; text has the same fields in the
/// same order, separated by tabs, with "-" for an empty one. printable() or printable_json()
/// escapes names.
class EventLog {
 public:
  struct Output {
    /// Takes a whole line with its end. Throws where that cannot be written.
    std::function<void(std::string_view line)> write;
    /// Gets the reason of the first line that could not be written.
    std::function<void(const std::string& why)> lost;
  };

  /// Events below `least` are left out.
  EventLog(Output output, LogFormat format, LogLevel least);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void write(const LogEvent& event) const;

 private:
  struct Lines;
  std::unique_ptr<Lines> lines_;
};

/// What is said on stdout or stderr, as it is, and at once.
void say(std::FILE* stream, LogLevel level, std::string_view text);

}  // namespace gvbind
