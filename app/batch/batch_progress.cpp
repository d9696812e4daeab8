#include "batch/batch_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "gvbind/text.h"

namespace gvbind {
namespace {

using nlohmann::ordered_json;

constexpr int bar_cells = 20;

void emit(const ordered_json& event) {
  const std::string line = event.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  std::fprintf(stderr, "%s\n", line.c_str());
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
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

/// Cut to so many bytes, at a character's border.
std::string cut(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

}  // namespace

BatchProgress::BatchProgress(ProgressMode mode, bool quiet) : mode_(mode) {
  if (mode_ == ProgressMode::automatic)
    mode_ = quiet                   ? ProgressMode::none
            : isatty(STDERR_FILENO) ? ProgressMode::bar
                                    : ProgressMode::plain;
}

BatchProgress::~BatchProgress() { clear(); }

double BatchProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void BatchProgress::run_start(std::size_t total, std::size_t passed) {
  total_ = total;
  start_ = std::chrono::steady_clock::now();
  if (mode_ == ProgressMode::json)
    emit({{"event", "run_start"}, {"assets", total}, {"up_to_date", passed}});
}

void BatchProgress::asset_start(const std::string& name) {
  running_[name] = 0.0;
  latest_ = name;
  if (mode_ == ProgressMode::json)
    emit({{"event", "asset_start"}, {"asset", name}, {"seconds", seconds()}});
  draw(false);
}

void BatchProgress::stage(const std::string& name, const std::string& stage, double done) {
  running_[name] = done;
  if (mode_ == ProgressMode::json)
    emit({{"event", "stage"}, {"asset", name}, {"stage", stage}, {"done", done}});
}

void BatchProgress::finding(const std::string& name, const std::string& severity,
                            const std::string& code, const std::string& message) {
  if (mode_ == ProgressMode::json)
    emit({{"event", "finding"},
          {"asset", name},
          {"severity", severity},
          {"code", code},
          {"message", message}});
}

void BatchProgress::asset_end(const std::string& name, const std::string& status,
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

void BatchProgress::tick() {
  if (mode_ == ProgressMode::bar) draw(false);
}

void BatchProgress::run_end(int exit_code) {
  clear();
  if (mode_ == ProgressMode::json)
    emit({{"event", "run_end"},
          {"exit_code", exit_code},
          {"ended", ended_},
          {"failed", failed_},
          {"seconds", seconds()}});
}

void BatchProgress::draw(bool now) {
  if (total_ == 0) return;
  const auto moment = std::chrono::steady_clock::now();
  const double since = std::chrono::duration<double>(moment - drawn_at_).count();
  if (mode_ == ProgressMode::plain && (now || since >= 1.0)) {
    drawn_at_ = moment;
    std::fprintf(stderr, "Progress: %zu%% (%zu/%zu) %s\n", 100 * ended_ / total_, ended_, total_,
                 clean_name(latest_).c_str());
  }
  if (mode_ == ProgressMode::bar && (now || since >= 0.1)) {
    drawn_at_ = moment;
    drawn_ = true;
    const auto room = static_cast<std::size_t>(std::max(20, terminal_columns() - 1));
    std::fprintf(stderr, "\r\033[K%s", cut(bar_line(), room).c_str());
    std::fflush(stderr);
  }
}

std::string BatchProgress::bar_line() const {
  double done = static_cast<double>(ended_);
  for (const auto& [name, part] : running_) done += 0.9 * std::clamp(part, 0.0, 1.0);
  const double share = std::min(1.0, done / static_cast<double>(total_));
  const auto full = static_cast<std::size_t>(share * bar_cells);
  std::string line = "[" + std::string(full, '#') + std::string(bar_cells - full, '.') + "] ";
  line += std::to_string(ended_) + "/" + std::to_string(total_);
  if (failed_ > 0) line += ", " + std::to_string(failed_) + " failed";
  const double passed = seconds();
  if (done > 0.5 && passed > 1.0) {
    line += ", " + std::to_string(static_cast<int>(done / passed * 3600.0)) + " an hour";
    line += ", " + time_text(passed / done * (static_cast<double>(total_) - done)) + " left";
  }
  for (const auto& [name, part] : running_) line += "  " + name;
  return clean_name(line);
}

void BatchProgress::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
  std::fflush(stderr);
}

void BatchProgress::say(const std::string& line) {
  if (mode_ == ProgressMode::json) return;
  const bool again = drawn_;
  clear();
  std::fprintf(stderr, "%s\n", clean_name(line).c_str());
  if (again) draw(true);
}

}  // namespace gvbind
