#pragma once

// Tested by tests/command/cli_test.py.

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "gvbind/finding.h"
#include "log/event_log.h"

namespace gvbind {

enum class ProgressMode { automatic, bar, plain, json, none };

/// Reports the progress of a run on stderr: a bar with counts, rate and time left; plain lines
/// ("Progress: 37% (111/300) hero.fbx", parsed by render farms), at most one per second and only
/// when the percentage changes; or JSON events, one per line. `automatic` is the bar on a terminal
/// and nothing elsewhere, where the line of each asset shows the progress. All events also go to
/// the log.
class RunProgress {
 public:
  /// `events`: the log; null: none.
  RunProgress(ProgressMode mode, bool quiet, std::shared_ptr<const EventLog> events = nullptr);
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// `total` assets are to be bound; `passed` are up to date.
  void run_start(std::size_t total, std::size_t passed);
  void asset_start(const std::string& name);
  void stage(const std::string& name, const std::string& stage, double done);
  /// `error` is empty if the asset did not fail.
  void asset_end(const std::string& name, const std::string& status, double seconds,
                 const std::string& error);
  void finding(const std::string& name, const Finding& finding);
  /// Redraws the elapsed time; to be called several times per second.
  void tick();
  void run_end(int exit_code);

  /// An event for the log only.
  void record(LogEvent event) const;

  // Lines on stderr beside the progress; with JSON progress, events replace them.
  void log(const std::string& line, LogLevel level = LogLevel::info) const;
  void log(Severity severity, const std::string& line) const;

 private:
  struct Running {
    double done = 0.0;  ///< 0 to 1
    std::string stage;
  };

  double seconds() const;
  double share() const;
  void draw(bool now);
  std::string bar_line() const;

  ProgressMode mode_;
  std::shared_ptr<const EventLog> events_;
  std::size_t total_ = 0, ended_ = 0, failed_ = 0;
  std::map<std::string, Running> running_;
  std::string latest_;
  int percent_ = -1;  ///< of the last plain line
  std::chrono::steady_clock::time_point start_, drawn_at_;
};

}  // namespace gvbind
