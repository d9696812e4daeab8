#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>

#include "preview/colors.h"
#include "preview/preview.h"
#include "preview/text.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

preview::PreviewOptions narrow() {
  preview::PreviewOptions options;
  options.width = 500;
  return options;
}

preview::Comparison all_apart(const Scene& scene, float value) {
  preview::Comparison comparison;
  comparison.name = "ours";
  comparison.other_name = "theirs";
  comparison.apart = {std::vector<float>(scene.meshes[0].positions.size(), value)};
  return comparison;
}

/// Number of different bytes in the rows that both images have: the bent poses may need more space.
std::size_t unlike(const preview::Image& a, const preview::Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.rgb.size(), b.rgb.size()); ++i)
    count += a.rgb[i] != b.rgb[i] ? 1U : 0U;
  return count;
}

}  // namespace

TEST_CASE("a comparison shows both skins, and each in its own half") {
  const Scene scene = tube();
  Scene other = scene;
  for (std::uint32_t& joint : other.meshes[0].weights.joint) joint = 2;
  const preview::Comparison same = all_apart(scene, 0.0F);
  const preview::Image alike = preview::render_comparison(scene, scene, same, narrow());
  const preview::Image theirs_changed = preview::render_comparison(scene, other, same, narrow());
  const preview::Image ours_changed = preview::render_comparison(other, scene, same, narrow());
  CHECK(alike.width == 500);
  CHECK(unlike(alike, theirs_changed) > 5000);
  CHECK(unlike(alike, ours_changed) > 5000);
  CHECK(unlike(theirs_changed, ours_changed) > 10000);
}

TEST_CASE("where skins differ shows, and nothing else changes") {
  const Scene scene = tube();
  const preview::Image a =
      preview::render_comparison(scene, scene, all_apart(scene, 0.0F), narrow());
  const preview::Image b =
      preview::render_comparison(scene, scene, all_apart(scene, 1.0F), narrow());
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i)
    if (a.rgb[i] != b.rgb[i]) ++(i / 3 % 500 < 330 ? left : right);
  CHECK(left == 0);
  CHECK(right > 1000);
}

TEST_CASE("lines at the head make room for themselves") {
  const Scene scene = tube();
  preview::Comparison comparison = all_apart(scene, 0.0F);
  const preview::Image without = preview::render_comparison(scene, scene, comparison, narrow());
  comparison.lines = {"L1 0.25", "DAVG 3.1"};
  CHECK(preview::render_comparison(scene, scene, comparison, narrow()).height > without.height);
}

TEST_CASE("heat goes from blue to red, brighter up to yellow") {
  const auto light = [](double value) {
    const Eigen::Vector3f c = preview::heat_color(value);
    return 0.2126F * c.x() + 0.7152F * c.y() + 0.0722F * c.z();
  };
  CHECK(preview::heat_color(0.0).z() > preview::heat_color(0.0).x());
  CHECK(preview::heat_color(1.0).x() > 4.0F * preview::heat_color(1.0).z());
  for (double value = 0.0; value < 0.74; value += 0.01) CHECK(light(value) < light(value + 0.01));
  CHECK(preview::heat_color(-3.0) == preview::heat_color(0.0));
  CHECK(preview::heat_color(7.0) == preview::heat_color(1.0));
}

TEST_CASE("a character of several bytes is one letter") {
  CHECK(preview::text_width("\xe9\xaa\xa8") == preview::text_width("?"));
  CHECK(preview::text_width("L1 0.2, A:b_c-d") == 15 * 6 - 1);
}

}  // namespace gvbind
