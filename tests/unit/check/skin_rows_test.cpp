#include "check/skin_rows.h"

#include <catch2/catch.hpp>
#include <limits>

#include "check/trousers.h"

namespace gvbind {
namespace {

using test::add_row;
using test::Row;

Scene scene_of_rows(const std::vector<Row>& rows) {
  Scene scene;
  scene.joints = test::trousers_joints();
  SceneMesh mesh;
  mesh.skin_joints = {0, 1, 2};
  for (const Row& row : rows) {
    mesh.positions.emplace_back(0, 0, 0);
    add_row(mesh.weights, row);
  }
  scene.meshes.push_back(mesh);
  return scene;
}

}  // namespace

TEST_CASE("sound rows have no fault") {
  const check::SkinRows rows =
      check::measure_rows(scene_of_rows({{{0, 1.0f}}, {{1, 0.75f}, {2, 0.25f}}}));
  CHECK(rows.skinned_meshes == 1);
  CHECK(rows.vertices == 2);
  CHECK(rows.damaged == 0);
  CHECK(rows.off_sum == 0);
  CHECK(rows.largest_error == 0.0);
  CHECK(rows.without_weight == 0);
  CHECK(rows.max_influences == 2);
  CHECK(rows.mean_influences == 1.5);
  CHECK(rows.over_influences == 0);
}

TEST_CASE("sums off one are counted beyond the tolerance, and the worst is named") {
  const Scene scene =
      scene_of_rows({{{0, 1.0f}}, {{0, 0.5f}}, {{0, 1.25f}}, {{1, 1.0005f}}, {{1, 0.998f}}});
  const check::SkinRows rows = check::measure_rows(scene);
  CHECK(rows.off_sum == 3);
  CHECK(rows.largest_error == 0.5);
  REQUIRE(rows.off_sum_at);
  CHECK(rows.off_sum_at->vertex == 1);
  check::SkinRowOptions strict;
  strict.sum_tolerance = 1e-4;
  CHECK(check::measure_rows(scene, strict).off_sum == 4);
}

TEST_CASE("negative, infinite and strayed weights are damage, not weight") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const check::SkinRows rows = check::measure_rows(scene_of_rows(
      {{{0, 1.0f}, {1, -0.5f}}, {{0, nan}}, {{0, infinite}, {1, 1.0f}}, {{99, 1.0f}}}));
  CHECK(rows.damaged == 4);
  REQUIRE(rows.damaged_in);
  CHECK(*rows.damaged_in == 0);
  CHECK(rows.without_weight == 2);
  CHECK(rows.off_sum == 0);
}

TEST_CASE("weights dropped by a reader count as damaged") {
  Scene scene = scene_of_rows({{{0, 1.0f}}});
  scene.meshes[0].damaged_weights = 3;
  CHECK(check::measure_rows(scene).damaged == 3);
  CHECK(check::measure_rows(scene).damaged_in == 0u);
}

TEST_CASE("influences are counted once a joint, zeros never") {
  const Row many = {{0, 0.2f}, {1, 0.2f}, {2, 0.2f}, {3, 0.2f}, {4, 0.1f}, {4, 0.1f}, {5, 0.0f}};
  check::SkinRowOptions options;
  options.max_influences = 4;
  const check::SkinRows rows = check::measure_rows(scene_of_rows({{{0, 1.0f}}, many}), options);
  CHECK(rows.max_influences == 5);
  CHECK(rows.over_influences == 1);
  REQUIRE(rows.max_influences_at);
  CHECK(rows.max_influences_at->vertex == 1);
  options.max_influences = 0;
  CHECK(check::measure_rows(scene_of_rows({many}), options).over_influences == 0);
}

TEST_CASE("vertices without rows, with empty rows and with zeros have no weight") {
  Scene scene = scene_of_rows({{}, {{0, 0.0f}}, {{0, 1.0f}}});
  scene.meshes[0].positions.emplace_back(0, 0, 0);
  const check::SkinRows rows = check::measure_rows(scene);
  CHECK(rows.without_weight == 3);
  CHECK(rows.without_weight_at->vertex == 0);
  CHECK(rows.off_sum == 0);
}

TEST_CASE("meshes without a skin are not looked at") {
  Scene scene = scene_of_rows({{}});
  scene.meshes[0].skin_joints.clear();
  CHECK(check::measure_rows(scene).skinned_meshes == 0);
  CHECK(check::measure_rows(scene).vertices == 0);
  CHECK(check::measure_rows({}).mean_influences == 0.0);
}

}  // namespace gvbind
