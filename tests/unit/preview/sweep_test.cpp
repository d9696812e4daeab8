#include <catch2/catch.hpp>
#include <vector>

#include "gvbind/error.h"
#include "preview/preview.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

/// The fifths of the width in which two pictures differ.
std::vector<bool> unlike_fifths(const preview::Image& a, const preview::Image& b) {
  std::vector<bool> unlike(5, false);
  const auto width = static_cast<std::size_t>(a.width);
  for (std::size_t i = 0; i < a.rgb.size(); ++i)
    if (a.rgb[i] != b.rgb[i]) unlike[i / 3 % width * 5 / width] = true;
  return unlike;
}

std::vector<preview::SweepPicture> tubes(std::size_t count) {
  std::vector<preview::SweepPicture> pictures;
  for (std::size_t i = 0; i < count; ++i) pictures.push_back({"alpha 0", tube()});
  return pictures;
}

}  // namespace

TEST_CASE("each skin of a sweep shows in its own place") {
  preview::PreviewOptions options;
  options.width = 500;
  options.bend_degrees = 0;  // only colors change, and no figure moves
  std::vector<preview::SweepPicture> pictures = tubes(5);
  const preview::Image alike = preview::render_sweep(pictures, options);
  CHECK(alike.width == 500);
  for (std::uint32_t& joint : pictures[3].scene.meshes[0].weights.joint) joint = 2;
  const preview::Image changed = preview::render_sweep(pictures, options);
  REQUIRE(changed.rgb.size() == alike.rgb.size());
  CHECK(unlike_fifths(alike, changed) == std::vector<bool>{false, false, false, true, false});
}

TEST_CASE("more than five pictures of a sweep make rows at one scale") {
  preview::PreviewOptions options;
  options.width = 500;
  const preview::Image five = preview::render_sweep(tubes(5), options);
  const preview::Image six = preview::render_sweep(tubes(6), options);
  const preview::Image ten = preview::render_sweep(tubes(10), options);
  CHECK(six.height > five.height);
  CHECK(six.height == ten.height);
  CHECK_THROWS_AS(preview::render_sweep({}, options), Error);
}

}  // namespace gvbind
