#pragma once

#include <chrono>
#include <string>

namespace gvbind {

enum class ProgressMode { automatic, bar, plain, json, none };

/// Tells a person or a program on stderr how far a bind has come: a bar on a terminal, else a line
/// a stage.
class ProgressReporter {
 public:
  ProgressReporter(ProgressMode mode, bool quiet);
  ~ProgressReporter();
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  void begin(const std::string& asset);
  void stage(const std::string& name, double done);
  void end();

 private:
  void draw_bar(const std::string& name, double done);

  ProgressMode mode_;
  std::string asset_, stage_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace gvbind
