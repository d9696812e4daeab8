#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/legend.h"
#include "preview/preview.h"
#include "preview/sheet_colors.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

preview::PreviewOptions at_width(int width) {
  preview::PreviewOptions options;
  options.width = width;
  return options;
}

std::size_t count_if_pixel(const preview::Image& image,
                           const std::function<bool(int, int, int)>& is) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    count += is(image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]) ? 1U : 0U;
  return count;
}

std::vector<preview::Image> frames_of(const Scene& scene,
                                      const preview::TurntableOptions& turntable) {
  std::vector<preview::Image> frames;
  preview::render_turntable(scene, {}, turntable,
                            [&](const preview::Image& image) { frames.push_back(image); });
  return frames;
}

}  // namespace

TEST_CASE("a joint's heat is its share of each vertex, whatever the row sums to") {
  Scene scene = tube();
  SceneMesh& mesh = scene.meshes[0];
  mesh.weights.first = {0, 2, 3, 3};
  mesh.weights.joint = {0, 1, 1};
  mesh.weights.weight = {1.5F, 0.5F, 0.25F};
  const auto colors = preview::joint_heat_colors(mesh, 0);
  CHECK(colors[0] == preview::heat_color(0.75));
  CHECK(colors[1] == preview::heat_color(0.0));
  CHECK(colors[2] == preview::heat_color(0.0));
  mesh.weights = {};
  CHECK(preview::joint_heat_colors(mesh, 0)[0] == preview::no_skin_color);
}

TEST_CASE("a sheet of one joint shows it red where it owns all, blue elsewhere") {
  preview::PreviewOptions options = at_width(400);
  options.joint = 1;
  const preview::Image image = preview::render_sheet(tube(), options);
  CHECK(count_if_pixel(image, [](int r, int g, int b) { return r > 120 && g < 70 && b < 70; }) >
        2000);
  CHECK(count_if_pixel(image, [](int r, int g, int b) { return b > 60 && r < b && g < b; }) > 2000);
  options.joint = 3;
  CHECK_THROWS_AS(preview::render_sheet(tube(), options), Error);
}

TEST_CASE("the legend lists the joints that own weight, in their colors") {
  Scene scene = tube();
  for (std::size_t j = 0; j < 3; ++j) scene.joints[j].name = "joint" + std::to_string(j);
  const auto colors = preview::joint_colors(scene.joints);
  const auto entries = preview::joint_legend(scene, colors);
  REQUIRE(entries.size() == 2);
  CHECK(entries[1].name == "joint1");
  CHECK(entries[1].color == colors[1]);

  preview::PreviewOptions options = at_width(600);
  const preview::Image without = preview::render_sheet(scene, options);
  options.legend = true;
  const preview::Image with = preview::render_sheet(scene, options);
  CHECK(with.height == without.height + preview::legend_height(2, preview::style_of(600)));
}

TEST_CASE("a legend of more joints than anyone reads ends with their number") {
  Scene scene;
  scene.joints.resize(1500);
  SceneMesh mesh;
  for (std::uint32_t j = 0; j < 1500; ++j) {
    mesh.weights.joint.push_back(j);
    mesh.weights.weight.push_back(1.0F);
    mesh.weights.first.push_back(j + 1);
  }
  scene.meshes.push_back(mesh);
  const auto entries = preview::joint_legend(scene, std::vector<Eigen::Vector3f>(1500));
  REQUIRE(entries.size() == 1001);
  CHECK(entries.back().name == "and 500 more");
}

TEST_CASE("views are drawn as asked for") {
  Scene scene = tube();
  for (Eigen::Vector3d& p : scene.meshes[0].positions) p.z() *= 0.1;
  preview::PreviewOptions front = at_width(400), side = at_width(400), both = at_width(400);
  front.views = {{"FRONT", 0, 0}};
  side.views = {{"LEFT", 90, 0}};
  both.views = {{"FRONT", 0, 0}, {"LEFT", 90, 0}};
  CHECK(preview::render_sheet(scene, front).rgb != preview::render_sheet(scene, side).rgb);
  CHECK(preview::render_sheet(scene, both).rgb != preview::render_sheet(scene, side).rgb);
  CHECK(preview::render_sheet(scene, both).rgb == preview::render_sheet(scene, both).rgb);
}

TEST_CASE("a pose takes the place of the bent ones, and is seen as the views say") {
  const Scene scene = tube();
  preview::PreviewOptions still = at_width(400), moved = at_width(400);
  still.pose.assign(3, Eigen::Affine3d::Identity());
  moved.pose = still.pose;
  moved.pose[1] = Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitZ());
  const preview::Image a = preview::render_sheet(scene, still),
                       b = preview::render_sheet(scene, moved);
  CHECK(a.rgb != b.rgb);
  const std::size_t top = a.rgb.size() / 4;
  CHECK(std::equal(a.rgb.begin(), a.rgb.begin() + static_cast<std::ptrdiff_t>(top), b.rgb.begin()));
  moved.views = {{"TOP", 0, 90}};
  CHECK(preview::render_sheet(scene, moved).rgb != b.rgb);
}

TEST_CASE("a turntable has the frames asked for, all of one size, and turns") {
  Scene scene = tube();
  for (Eigen::Vector3d& p : scene.meshes[0].positions)
    p = Eigen::Vector3d(p.x() + 5.0, p.y(), 3.0 * p.z());
  const auto frames = frames_of(scene, {200, 8});
  REQUIRE(frames.size() == 8);
  for (const preview::Image& frame : frames) {
    CHECK(frame.width == 200);
    CHECK(frame.height == frames[0].height);
    // Nothing is cut off: the margin is background.
    for (int x = 0; x < frame.width; ++x)
      CHECK(frame.rgb[3 * static_cast<std::size_t>(x)] == frame.rgb[0]);
    for (int y = 0; y < frame.height; ++y)
      CHECK(frame.rgb[3 * static_cast<std::size_t>(y) * 200] == frame.rgb[0]);
  }
  CHECK(frames[0].rgb != frames[2].rgb);
}

TEST_CASE("turntables out of range are errors of usage, and nothing at all still turns") {
  CHECK_THROWS_AS(frames_of(tube(), {63, 8}), Error);
  CHECK_THROWS_AS(frames_of(tube(), {2001, 8}), Error);
  CHECK_THROWS_AS(frames_of(tube(), {100, 1}), Error);
  CHECK_THROWS_AS(frames_of(tube(), {100, 361}), Error);
  CHECK(frames_of({}, {100, 2}).size() == 2);
}

}  // namespace gvbind
