#include "common/progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/console.h"
#include "gvbind/base/utf8.h"
#include "platform/session.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

using nlohmann::ordered_json;

constexpr int bar_cells = 20;
/// The last tenth stands for the end of an asset, whose progress is unknown.
constexpr double share_of_running = 0.9;

void emit(const ordered_json& event) {
  print_json(stderr, event.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

std::string time_text(double seconds) {
  std::array<char, 32> text{};
  const int whole = static_cast<int>(std::lround(seconds));
  if (whole < 60)
    std::snprintf(text.data(), text.size(), "%d s", whole);
  else if (whole < 3600)
    std::snprintf(text.data(), text.size(), "%d:%02d min", whole / 60, whole % 60);
  else
    std::snprintf(text.data(), text.size(), "%d:%02d h", whole / 3600, whole / 60 % 60);
  return text.data();
}

ProgressMode resolve(ProgressMode mode, bool quiet) {
  if (mode != ProgressMode::automatic) return mode;
  return !quiet && platform::is_terminal(stderr) ? ProgressMode::bar : ProgressMode::none;
}

}  // namespace

RunProgress::RunProgress(ProgressMode mode, bool quiet, std::shared_ptr<const EventLog> events)
    : mode_(resolve(mode, quiet)), events_(std::move(events)) {}

RunProgress::~RunProgress() {
  if (mode_ == ProgressMode::bar) print_status("");
}

double RunProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void RunProgress::run_start(std::size_t total, std::size_t passed) {
  total_ = total;
  start_ = std::chrono::steady_clock::now();
  if (mode_ == ProgressMode::json)
    emit({{"event", "run_start"}, {"assets", total}, {"up_to_date", passed}});
  const std::string others = passed > 0 ? ", " + grouped(passed) + " passed over" : "";
  record({LogLevel::info, "", "", "", counted(total, "asset", "assets") + " to bind" + others});
}

void RunProgress::asset_start(const std::string& name) {
  running_[name] = {};
  latest_ = name;
  if (mode_ == ProgressMode::json)
    emit({{"event", "asset_start"}, {"asset", name}, {"seconds", seconds()}});
  record({LogLevel::info, name, "", "", "started"});
  draw(false);
}

void RunProgress::stage(const std::string& name, const std::string& stage, double done) {
  const bool begins = running_[name].stage != stage;
  running_[name] = {done, stage};
  if (begins) record({LogLevel::debug, name, stage, "", "began"});
  record({LogLevel::trace, name, stage, "", fixed(100.0 * done, 0) + " % of the asset"});
  if (mode_ == ProgressMode::json)
    emit({{"event", "stage"},
          {"asset", name},
          {"stage", stage},
          {"done", done},
          {"seconds", seconds()}});
  draw(false);
}

void RunProgress::finding(const std::string& name, const Finding& finding) {
  if (mode_ == ProgressMode::json)
    emit({{"event", "finding"},
          {"asset", name},
          {"severity", severity_name(finding.severity)},
          {"code", finding.code},
          {"message", finding.message}});
}

void RunProgress::asset_end(const std::string& name, const std::string& status,
                            double seconds_taken, const std::string& error) {
  running_.erase(name);
  latest_ = name;
  ++ended_;
  failed_ += status == "failed";
  if (mode_ == ProgressMode::json) {
    ordered_json event = {
        {"event", "asset_end"}, {"asset", name}, {"status", status}, {"seconds", seconds_taken}};
    if (!error.empty()) event["error"] = error;
    event["ended"] = ended_;
    event["assets"] = total_;
    emit(event);
  }
  draw(ended_ == total_);
}

void RunProgress::tick() {
  if (mode_ == ProgressMode::bar) draw(false);
}

void RunProgress::run_end(int exit_code) {
  if (mode_ == ProgressMode::bar) print_status("");
  if (mode_ == ProgressMode::json)
    emit({{"event", "run_end"},
          {"exit_code", exit_code},
          {"ended", ended_},
          {"failed", failed_},
          {"seconds", seconds()}});
}

double RunProgress::share() const {
  double done = static_cast<double>(ended_);
  for (const auto& [name, running] : running_)
    done += share_of_running * std::clamp(running.done, 0.0, 1.0);
  return std::min(1.0, done / static_cast<double>(total_));
}

void RunProgress::draw(bool now) {
  if (total_ == 0) return;
  const auto moment = std::chrono::steady_clock::now();
  const double since = std::chrono::duration<double>(moment - drawn_at_).count();
  const int percent = static_cast<int>(100.0 * share());
  if (mode_ == ProgressMode::plain && percent != percent_ && (now || since >= 1.0)) {
    drawn_at_ = moment;
    percent_ = percent;
    print_line(stderr, "Progress: " + std::to_string(percent) + "% (" + std::to_string(ended_) +
                           "/" + std::to_string(total_) + ") " + latest_);
  }
  if (mode_ == ProgressMode::bar && (now || since >= 0.1)) {
    drawn_at_ = moment;
    print_status(bar_line());
  }
}

std::string RunProgress::bar_line() const {
  const double done = share() * static_cast<double>(total_);
  const auto full = static_cast<std::size_t>(share() * bar_cells);
  std::string line = "[" + std::string(full, '#') + std::string(bar_cells - full, '.') + "] ";
  line += grouped(ended_) + "/" + grouped(total_);
  if (failed_ > 0) line += ", " + grouped(failed_) + " failed";
  const double passed = seconds();
  if (total_ > 1 && done > 0.5 && passed > 1.0) {
    line += ", " + grouped(static_cast<std::size_t>(done / passed * 3600.0)) + " per hour";
    line += ", " + time_text(passed / done * (static_cast<double>(total_) - done)) + " left";
  }
  for (const auto& [name, running] : running_)
    line += "  " + name + (running.stage.empty() ? "" : ": " + running.stage);
  return line;
}

void RunProgress::record(LogEvent event) const {
  if (!events_) return;
  const auto running = running_.find(event.asset);
  // An error that ends an asset names the stage in which it occurred.
  if (event.level == LogLevel::error && event.finding.empty() && running != running_.end())
    event.stage = running->second.stage;
  events_->write(event);
}

void RunProgress::log(const std::string& line, LogLevel level) const {
  if (mode_ != ProgressMode::json) print_line(stderr, line, level);
}

void RunProgress::log(Severity severity, const std::string& line) const {
  if (mode_ != ProgressMode::json) print_finding(severity, line);
}

}  // namespace gvbind
