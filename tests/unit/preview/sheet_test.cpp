#include <png.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <limits>

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/panel.h"
#include "preview/preview.h"
#include "preview/tube.h"
#include "support/scratch_folder.h"

namespace gvbind {
namespace {

using test::tube;

std::size_t count_pixels(const preview::Image& image,
                         const std::function<bool(int, int, int)>& is) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    count += is(image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]) ? 1U : 0U;
  return count;
}

bool is_magenta(int r, int g, int b) { return g < 40 && r > 90 && b > 80 && b < r; }
bool is_colored(int r, int g, int b) { return std::max({r, g, b}) - std::min({r, g, b}) > 60; }

preview::PreviewOptions small() {
  preview::PreviewOptions options;
  options.width = 400;
  return options;
}

ErrorKind kind_thrown(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    CHECK(std::strchr(error.what(), '\n') == nullptr);
    return error.kind();
  }
  return ErrorKind::internal;
}

}  // namespace

TEST_CASE("a sheet has the width asked for and rows of three bytes a pixel") {
  for (const int width : {64, 333, 1200}) {
    preview::PreviewOptions options;
    options.width = width;
    const preview::Image image = preview::render_sheet(tube(), options);
    CHECK(image.width == width);
    CHECK(image.height > width / 4);
    CHECK(image.rgb.size() == static_cast<std::size_t>(image.width) * image.height * 3);
  }
}

TEST_CASE("the same scene gives the same pixels") {
  CHECK(preview::render_sheet(tube(), small()).rgb == preview::render_sheet(tube(), small()).rgb);
}

TEST_CASE("weights show in color, vertices without weight in magenta") {
  const preview::Image whole = preview::render_sheet(tube(), small());
  CHECK(count_pixels(whole, is_colored) > 5000);
  CHECK(count_pixels(whole, is_magenta) == 0);
  const preview::Image half = preview::render_sheet(tube(0.5), small());
  CHECK(count_pixels(half, is_magenta) > 2000);
}

TEST_CASE("a scene without weights is gray, and drawn") {
  Scene scene = tube();
  scene.meshes[0].weights = {};
  scene.meshes[0].skin_joints.clear();
  const preview::Image with_joints = preview::render_sheet(scene, small());
  scene.joints.clear();
  const preview::Image bare = preview::render_sheet(scene, small());
  CHECK(count_pixels(bare, is_colored) == 0);
  CHECK(count_pixels(with_joints, is_colored) < 1000);
  const auto background = bare.rgb[0];
  CHECK(count_pixels(bare, [&](int r, int, int) { return r + 20 < background; }) > 5000);
}

TEST_CASE("joints alone, and nothing at all, make a sheet") {
  Scene scene = tube();
  scene.meshes.clear();
  const preview::Image joints = preview::render_sheet(scene, small());
  CHECK(count_pixels(joints, is_colored) > 50);
  const preview::Image nothing = preview::render_sheet({}, small());
  CHECK(count_pixels(nothing, is_colored) == 0);
}

TEST_CASE("the bend changes the poses and nothing above them") {
  preview::PreviewOptions straight = small(), bent = small();
  straight.bend_degrees = 0;
  bent.bend_degrees = 5;
  const preview::Image a = preview::render_sheet(tube(), straight),
                       b = preview::render_sheet(tube(), bent);
  const std::size_t third = a.rgb.size() / 3;
  CHECK(
      std::equal(a.rgb.begin(), a.rgb.begin() + static_cast<std::ptrdiff_t>(third), b.rgb.begin()));
  CHECK(a.rgb != b.rgb);
}

TEST_CASE("a larger or turned copy of a scene looks the same") {
  const Scene scene = tube(0.5);
  Scene copy = scene;
  const Eigen::Affine3d to_copy(
      1024.0 * Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitX()).toRotationMatrix());
  copy.units.up = Eigen::Vector3d::UnitZ();
  copy.units.front = -Eigen::Vector3d::UnitY();
  for (SceneJoint& joint : copy.joints) joint.bind = to_copy * joint.bind;
  for (Eigen::Vector3d& p : copy.meshes[0].positions) p = Eigen::Vector3d(to_copy * p);
  const preview::Image a = preview::render_sheet(scene, small()),
                       b = preview::render_sheet(copy, small());
  REQUIRE(a.rgb.size() == b.rgb.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i)
    different += std::abs(int{a.rgb[i]} - int{b.rgb[i]}) > 12 ? 1U : 0U;
  CHECK(different < a.rgb.size() / 500);
}

TEST_CASE("damaged scenes are drawn as far as they go") {
  Scene scene = tube();
  SceneMesh& mesh = scene.meshes[0];
  const double bad = std::numeric_limits<double>::quiet_NaN();
  mesh.positions[3] = {bad, 0, 0};
  mesh.positions[4] = {std::numeric_limits<double>::infinity(), 0, 0};
  mesh.positions[5] = {1e300, -1e300, 1e300};
  mesh.triangles.push_back({0, 1, 4000000000U});
  mesh.weights.joint[0] = 77;
  scene.joints[1].bind.linear().setZero();
  scene.joints[2].bind.translation().x() = bad;
  CHECK(preview::render_sheet(scene, small()).width == 400);
}

TEST_CASE("options out of range are errors of usage") {
  for (const int width : {-1, 0, 63, 8193}) {
    preview::PreviewOptions options;
    options.width = width;
    CHECK(kind_thrown([&] { preview::render_sheet(tube(), options); }) == ErrorKind::usage);
  }
  preview::PreviewOptions options;
  options.bend_degrees = std::numeric_limits<double>::infinity();
  CHECK(kind_thrown([&] { preview::render_sheet(tube(), options); }) == ErrorKind::usage);
}

TEST_CASE("text is drawn dot by dot and cut off at the image's edges") {
  preview::Image image{12, 9, std::vector<std::uint8_t>(12 * 9 * 3, 255)};
  preview::draw_text(image, "I", 1, 1, 1, 0);
  std::string rows;
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 8; ++x)
      rows += image.rgb[static_cast<std::size_t>(y * 12 + x) * 3] ? '.' : '#';
    rows += '\n';
  }
  CHECK(
      rows ==
      "........\n..###...\n...#....\n...#....\n...#....\n...#....\n...#....\n..###...\n........\n");
  preview::draw_text(image, "WIDE", -3, 5, 4, 0);
  CHECK(preview::text_width("POSE 1") == 35);
  CHECK(preview::text_width("") == 0);
}

TEST_CASE("a png reads back as it was written") {
  const preview::Image image = preview::render_sheet(tube(), small());
  const test::ScratchFolder folder;
  const auto path = folder.path() / "sheet.png";
  preview::write_png(image, path);
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&png, path.c_str()));
  CHECK(static_cast<int>(png.width) == image.width);
  CHECK(static_cast<int>(png.height) == image.height);
  png.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> read(PNG_IMAGE_SIZE(png));
  REQUIRE(png_image_finish_read(&png, nullptr, read.data(), 0, nullptr));
  CHECK(read == image.rgb);
}

TEST_CASE("a png that cannot be written is an error of output") {
  const preview::Image image{2, 2, std::vector<std::uint8_t>(12)};
  CHECK(kind_thrown([&] { preview::write_png(image, "/nowhere/at/all/x.png"); }) ==
        ErrorKind::output);
  CHECK(kind_thrown([&] { preview::write_png({}, "/tmp/x.png"); }) == ErrorKind::output);
}

}  // namespace gvbind
