#include "character/frame_rate.h"

#include <catch2/catch.hpp>

using namespace gvbind;

namespace {

/// A clip with keys at multiples of `step`, in single precision as files have them.
Clip clip_of(double step, int keys) {
  Channel channel;
  for (int k = 0; k < keys; ++k)
    channel.times.push_back(double{static_cast<float>(static_cast<double>(k) * step)});
  return {"clip", {channel}};
}

}  // namespace

TEST_CASE("the rate of a clip is the first that its keys are frames of") {
  for (const double rate : {24.0, 25.0, 30.0, 60.0, 120.0}) {
    const Clip clip = clip_of(1.0 / rate, 200);
    CHECK(frame_rate_of(std::span(&clip, 1), 1.0) == rate);
  }
  const Clip seconds = clip_of(1.0, 5);
  CHECK(frame_rate_of(std::span(&seconds, 1), 1.0) == 30.0);
}

TEST_CASE("keys off the frames have no rate unless they are few") {
  const Clip odd = clip_of(1.0 / 27.0, 50);
  CHECK_FALSE(frame_rate_of(std::span(&odd, 1), 0.9).has_value());
  Clip nearly = clip_of(1.0 / 24.0, 50);
  nearly.channels[0].times.push_back(3.01);
  CHECK(frame_rate_of(std::span(&nearly, 1), 0.95) == 24.0);
  CHECK_FALSE(frame_rate_of(std::span(&nearly, 1), 1.0).has_value());
}
