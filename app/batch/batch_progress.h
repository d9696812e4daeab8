#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "progress.h"

namespace gvbind {

/// Tells on stderr how far a batch has come: a bar with counts, rate and time left on a terminal; a
/// line at most once a second elsewhere ("Progress: 37% (111/300) hero.fbx", which render farms
/// read); or an event a line, JSON, for machines.
class BatchProgress {
 public:
  BatchProgress(ProgressMode mode, bool quiet);
  ~BatchProgress();
  BatchProgress(const BatchProgress&) = delete;
  BatchProgress& operator=(const BatchProgress&) = delete;

  /// `total` assets are to be bound, `passed` are up to date.
  void run_start(std::size_t total, std::size_t passed);
  void asset_start(const std::string& name);
  void stage(const std::string& name, const std::string& stage, double done);
  /// `error` is empty where it did not fail.
  void asset_end(const std::string& name, const std::string& status, double seconds,
                 const std::string& error);
  void finding(const std::string& name, const std::string& severity, const std::string& code,
               const std::string& message);
  /// Draws what time has changed; to be called several times a second.
  void tick();
  void run_end(int exit_code);

  /// A line of talk, beside a bar that may stand there.
  void say(const std::string& line);

 private:
  double seconds() const;
  void draw(bool now);
  void clear();
  std::string bar_line() const;

  ProgressMode mode_;
  std::size_t total_ = 0, ended_ = 0, failed_ = 0;
  std::map<std::string, double> running_;  ///< how far each has come, 0 to 1
  std::string latest_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_, drawn_at_;
};

}  // namespace gvbind
