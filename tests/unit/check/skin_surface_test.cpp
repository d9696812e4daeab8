#include "check/skin_surface.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "check/trousers.h"

namespace gvbind {

TEST_CASE("skinned meshes become one surface, others stay out") {
  Scene scene = test::trousers();
  const std::size_t count = scene.meshes[0].positions.size();
  scene.meshes.insert(scene.meshes.begin(), SceneMesh());
  scene.meshes[0].positions = {{50, 0, 0}};
  scene.meshes.push_back(scene.meshes[1]);
  const check::SkinSurface surface = check::skin_surface(scene);
  REQUIRE(surface.vertex_count() == 2 * count);
  CHECK(surface.source[count].mesh == 2);
  CHECK(surface.source[count + 5].vertex == 5);
  CHECK(surface.size < 2.0);
  CHECK(surface.triangles.size() == 2 * scene.meshes[1].triangles.size());
}

TEST_CASE("areas add up to that of the triangles") {
  Scene scene;
  const test::Shape box = test::box({0, 0, 0}, {1, 2, 3});
  SceneMesh mesh;
  mesh.positions = box.positions;
  mesh.triangles = box.triangles;
  mesh.skin_joints = {0};
  scene.joints = test::trousers_joints();
  scene.meshes = {mesh};
  const check::SkinSurface surface = check::skin_surface(scene);
  CHECK(std::accumulate(surface.area.begin(), surface.area.end(), 0.0) == Approx(22.0));
  CHECK(surface.size == Approx(std::sqrt(14.0)));
}

TEST_CASE("rows are brought to a sum of one, and damage is left out") {
  Scene scene;
  scene.joints = test::trousers_joints();
  SceneMesh mesh;
  mesh.skin_joints = {0};
  mesh.positions = {{0, 0, 0}, {1, 0, 0}};
  test::add_row(mesh.weights, {{1, 0.5f}, {2, 1.5f}, {99, 1.0f}, {3, NAN}});
  scene.meshes = {mesh};
  const check::SkinSurface surface = check::skin_surface(scene);
  CHECK(surface.weight_of(0, 2) == Approx(0.75));
  CHECK(surface.weight_of(0, 1) == Approx(0.25));
  CHECK(surface.weight_of(0, 3) == 0.0);
  CHECK(surface.dominant == std::vector<std::uint32_t>{2, check::no_joint});
  // Without triangles every vertex counts the same.
  CHECK(surface.area == std::vector<double>{1.0, 1.0});
}

TEST_CASE("places that are not finite or beyond reason, and broken triangles, do no harm") {
  Scene scene = test::trousers();
  SceneMesh& mesh = scene.meshes[0];
  mesh.positions[3] = {NAN, 0, 0};
  mesh.positions[4] = {1e300, 0, 0};
  mesh.triangles.push_back({0, 1, 1000000});
  const check::SkinSurface surface = check::skin_surface(scene);
  CHECK(surface.size < 2.0);
  CHECK(surface.positions[4].hasNaN());
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t v : t) CHECK(surface.positions[v].allFinite());
  CHECK(check::skin_surface({}).vertex_count() == 0);
}

}  // namespace gvbind
