#include "character/frame_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace gvbind {

namespace {

constexpr double on_frame = 1e-3;  // of a frame: the error of a time in single precision
constexpr std::array rates = {30.0, 24.0, 25.0, 60.0, 48.0, 50.0, 100.0, 120.0};

}  // namespace

bool lies_on_frame(double seconds, double rate) {
  return std::abs(seconds * rate - std::round(seconds * rate)) <= on_frame;
}

std::optional<double> frame_rate_of(std::span<const Clip> clips, double fraction) {
  std::set<double> times;
  for (const Clip& clip : clips)
    for (const Channel& channel : clip.channels)
      times.insert(channel.times.begin(), channel.times.end());
  for (const double rate : rates) {
    const auto fits =
        std::ranges::count_if(times, [&](double t) { return lies_on_frame(t, rate); });
    if (static_cast<double>(fits) >= fraction * static_cast<double>(times.size())) return rate;
  }
  return std::nullopt;
}

}  // namespace gvbind
