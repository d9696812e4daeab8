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

/// Something that has happened; empty members do not apply.
struct LogEvent {
  LogLevel level = LogLevel::info;
  std::string asset, stage;
  std::string finding;  ///< code of the finding
  std::string message;
};

/// Formats events as lines, each with its time in UTC. JSON is an object with the keys "time",
/// "level", "asset", "stage", "finding" and "message"; text has the same fields in this order,
/// separated by tabs, with "-" for an empty one. Names are escaped by printable() or
/// printable_json().
class EventLog {
 public:
  struct Output {
    /// Receives a complete line including its end. Throws if it cannot be written.
    std::function<void(std::string_view line)> write;
    /// Receives the reason when a line cannot be written for the first time.
    std::function<void(const std::string& why)> lost;
  };

  /// Events below `least` are ignored.
  EventLog(Output output, LogFormat format, LogLevel least);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void write(const LogEvent& event) const;

 private:
  struct Lines;
  std::unique_ptr<Lines> lines_;
};

/// Prints text to stdout or stderr unchanged and without delay.
void say(std::FILE* stream, LogLevel level, std::string_view text);

}  // namespace gvbind
