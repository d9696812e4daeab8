#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>

#include "gvbind/error.h"
#include "preview/preview.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

/// Number of pixels in these columns that differ from the background, the color of the first pixel.
std::size_t drawn(const preview::Image& image, int from, int to) {
  std::size_t count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = from; x < to; ++x) {
      const auto* pixel = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)];
      count += std::equal(pixel, pixel + 3, image.rgb.data()) ? 0U : 1U;
    }
  return count;
}

TEST_CASE("a card shows the scene twice, bent on the right") {
  const preview::Image card = preview::render_card(tube());
  CHECK(card.width == 480);
  CHECK(card.height == 360);
  preview::CardOptions straight;
  straight.bend_degrees = 0;
  const preview::Image still = preview::render_card(tube(), straight);
  CHECK(drawn(card, 0, 240) > 2000);
  CHECK(drawn(card, 240, 480) > 2000);
  const auto left = static_cast<double>(drawn(still, 0, 240));
  CHECK(static_cast<double>(drawn(still, 240, 480)) == Approx(left).epsilon(0.02));
  CHECK(card.rgb != still.rgb);
}

TEST_CASE("nothing of a card's scene is cut off") {
  for (const int width : {64, 480, 1000}) {
    preview::CardOptions options;
    options.width = width;
    const preview::Image card = preview::render_card(tube(), options);
    CHECK(drawn(card, 0, 1) == 0);
    CHECK(drawn(card, width - 1, width) == 0);
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    CHECK(std::equal(card.rgb.begin(), card.rgb.begin() + static_cast<std::ptrdiff_t>(row),
                     card.rgb.end() - static_cast<std::ptrdiff_t>(row)));
  }
}

TEST_CASE("scenes with nothing to see make cards") {
  const preview::Image nothing = preview::render_card({});
  CHECK(drawn(nothing, 0, nothing.width) == 0);
  Scene joints = tube();
  joints.meshes.clear();
  CHECK(preview::render_card(joints).width == 480);
  Scene broken = tube();
  for (Eigen::Vector3d& p : broken.meshes[0].positions) p.x() = HUGE_VAL;
  CHECK(preview::render_card(broken).width == 480);
}

TEST_CASE("a card's options have their ranges") {
  preview::CardOptions options;
  options.width = 63;
  CHECK_THROWS_AS(preview::render_card(tube(), options), Error);
}

TEST_CASE("the bytes of a png are a png") {
  const std::string bytes = preview::png_bytes(preview::render_card(tube()));
  CHECK(bytes.compare(0, 8, "\x89PNG\r\n\x1a\n") == 0);
  CHECK(bytes.compare(bytes.size() - 8, 4, "IEND") == 0);
  CHECK_THROWS_AS(preview::png_bytes({}), Error);
}

}  // namespace
}  // namespace gvbind
