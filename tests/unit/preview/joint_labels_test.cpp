#include "preview/joint_labels.h"

#include <catch2/catch.hpp>

#include "preview/preview.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

Scene named_tube() {
  Scene scene = test::tube();
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    scene.joints[j].name = "rig:joint" + std::to_string(j);
  return scene;
}

std::vector<preview::JointLabel> labels_of(const Scene& scene) {
  const preview::Style style = preview::style_of(600);
  const preview::Figure figure = preview::bind_figure(scene);
  std::vector<preview::Panel> row = {preview::panel_of(scene, figure, true, 0, 0)};
  preview::lay_out_row(row, style, style.margin, false);
  return preview::joint_labels(row[0], scene, style);
}

bool apart(const preview::JointLabel& a, const preview::JointLabel& b) {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y ||
         b.y + b.height <= a.y;
}

}  // namespace

TEST_CASE("joints have their names beside them, without the rig's") {
  const Scene scene = named_tube();
  const std::vector<preview::JointLabel> labels = labels_of(scene);
  REQUIRE(labels.size() == scene.joints.size());
  for (std::size_t j = 0; j < labels.size(); ++j) {
    CHECK(labels[j].text == "joint" + std::to_string(j));
    CHECK(std::abs(labels[j].x + labels[j].width / 2 - labels[j].joint_x) < 2 * labels[j].width);
  }
}

TEST_CASE("names do not overlap, and those without room are dropped") {
  Scene scene = named_tube();
  const SceneJoint first = scene.joints[0];
  for (int i = 0; i < 200; ++i) scene.joints.push_back(first);
  const std::vector<preview::JointLabel> labels = labels_of(scene);
  CHECK(labels.size() > 5);
  CHECK(labels.size() < 200);
  for (std::size_t a = 0; a < labels.size(); ++a)
    for (std::size_t b = a + 1; b < labels.size(); ++b) CHECK(apart(labels[a], labels[b]));
}

TEST_CASE("a sheet shows names only where they are asked for") {
  const Scene scene = named_tube();
  preview::PreviewOptions options;
  options.width = 600;
  const preview::Image without = preview::render_sheet(scene, options);
  options.names = true;
  const preview::Image with = preview::render_sheet(scene, options);
  CHECK(with.height == without.height);
  CHECK(with.rgb != without.rgb);
}

}  // namespace gvbind
