#include "preview/distinct_colors.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "preview/tube.h"

namespace gvbind {
namespace {

using Color = std::tuple<float, float, float>;

Color color_of(const Eigen::Vector3f& rgb) { return {rgb.x(), rgb.y(), rgb.z()}; }

/// A tree of joints in which every joint has `branches` children.
Scene tree_of(int count, int branches) {
  Scene scene;
  scene.joints.resize(static_cast<std::size_t>(count));
  for (int j = 0; j < count; ++j) {
    scene.joints[static_cast<std::size_t>(j)].parent = j == 0 ? -1 : (j - 1) / branches;
    scene.joints[static_cast<std::size_t>(j)].bind.translation() = Eigen::Vector3d(j % 7, j, 0);
  }
  return scene;
}

bool neighbors_differ(const Scene& scene) {
  const auto colors = preview::distinct_joint_colors(scene);
  const auto neighbors = preview::joint_neighbors(scene);
  for (std::size_t j = 0; j < colors.size(); ++j)
    for (const std::size_t other : neighbors[j])
      if (color_of(colors[j]) == color_of(colors[other])) return false;
  return true;
}

}  // namespace

TEST_CASE("80 joints have 80 colors") {
  for (const int branches : {1, 3, 79}) {
    std::set<Color> seen;
    for (const Eigen::Vector3f& color : preview::distinct_joint_colors(tree_of(80, branches)))
      seen.insert(color_of(color));
    CHECK(seen.size() == 80);
  }
}

TEST_CASE("neighbors never share a color, of however many joints") {
  for (const int count : {2, 80, 500, 3000})
    for (const int branches : {1, 2, 5, 20}) CHECK(neighbors_differ(tree_of(count, branches)));
}

TEST_CASE("joints that share a vertex or a triangle are neighbors") {
  const auto has = [](const std::vector<std::size_t>& list, std::size_t joint) {
    return std::ranges::find(list, joint) != list.end();
  };
  Scene scene = test::tube();
  for (SceneJoint& joint : scene.joints) joint.parent = -1;
  // Its triangles connect the regions of joints 0 and 1.
  CHECK(has(preview::joint_neighbors(scene)[0], 1));
  CHECK(preview::joint_neighbors(scene)[2].empty());
  scene.meshes[0].triangles.clear();
  CHECK(preview::joint_neighbors(scene)[0].empty());
  scene.meshes[0].weights.first = {0, 2};
  scene.meshes[0].weights.joint = {0, 2};
  scene.meshes[0].weights.weight = {0.5F, 0.5F};
  CHECK(has(preview::joint_neighbors(scene)[2], 0));
}

TEST_CASE("damaged rows give no neighbors and no fault") {
  Scene scene = test::tube();
  scene.meshes[0].weights.joint[0] = 77;
  scene.meshes[0].triangles.push_back({0, 1, 4000000000U});
  CHECK(preview::distinct_joint_colors(scene).size() == 3);
  CHECK(preview::distinct_joint_colors({}).empty());
}

}  // namespace gvbind
