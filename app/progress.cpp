#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace gvbind {

namespace {

constexpr int bar_cells = 24;

ProgressMode resolve(ProgressMode mode, bool quiet) {
  if (mode != ProgressMode::automatic) return mode;
  if (quiet) return ProgressMode::none;
  return isatty(STDERR_FILENO) ? ProgressMode::bar : ProgressMode::plain;
}

}  // namespace

ProgressReporter::ProgressReporter(ProgressMode mode, bool quiet) : mode_(resolve(mode, quiet)) {}

ProgressReporter::~ProgressReporter() { end(); }

void ProgressReporter::begin(const std::string& asset) {
  asset_ = asset;
  stage_.clear();
  start_ = std::chrono::steady_clock::now();
}

void ProgressReporter::stage(const std::string& name, double done) {
  const bool news = name != stage_;
  stage_ = name;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  switch (mode_) {
    case ProgressMode::bar:
      draw_bar(name, done);
      break;
    case ProgressMode::plain:
      if (news)
        std::fprintf(stderr, "%3.0f%% %s: %s (%.1f s)\n", done * 100.0, asset_.c_str(),
                     name.c_str(), seconds);
      break;
    case ProgressMode::json: {
      const nlohmann::ordered_json event = {{"event", "stage"},
                                            {"asset", asset_},
                                            {"stage", name},
                                            {"done", done},
                                            {"seconds", seconds}};
      std::fprintf(
          stderr, "%s\n",
          event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
      break;
    }
    case ProgressMode::automatic:
    case ProgressMode::none:
      break;
  }
}

void ProgressReporter::draw_bar(const std::string& name, double done) {
  const int full = static_cast<int>(std::clamp(done, 0.0, 1.0) * bar_cells);
  const std::string bar = std::string(static_cast<std::size_t>(full), '#') +
                          std::string(static_cast<std::size_t>(bar_cells - full), '.');
  std::fprintf(stderr, "\r\033[K[%s] %3.0f%% %s: %s", bar.c_str(), done * 100.0, asset_.c_str(),
               name.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressReporter::end() {
  if (drawn_) {
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
  }
  drawn_ = false;
}

}  // namespace gvbind
