#include "preview/surface.h"

#include <catch2/catch.hpp>

namespace gvbind {
namespace {

using Eigen::Vector2f;
using Eigen::Vector3d;
using Eigen::Vector3f;

/// A square as an FBX has it: four points, two triangles.
Scene points_of_square() {
  SceneMesh mesh;
  mesh.node = 70;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (std::uint32_t v = 0; v < 4; ++v) {
    mesh.weights.joint.push_back(v);
    mesh.weights.weight.push_back(1.0f);
    mesh.weights.first.push_back(v + 1);
  }
  Scene scene;
  scene.meshes = {mesh};
  return scene;
}

/// The same square with a seam along its diagonal; its second triangle comes first.
NodeScene split_square() {
  Mesh mesh;
  mesh.positions.assign(7, Vector3f::Zero());  // the last one is in no triangle
  mesh.uvs = {
      {Vector2f(0, 0), {1, 0}, {1, 1}, {5, 0}, {6, 1}, {5, 1}, {9, 9}},
  };
  mesh.colors.assign(7, {0.5f, 1.0f, 1.0f, 1.0f});
  mesh.primitives = {{{{3, 4, 5}}, 0, {1}}, {{{0, 1, 2}}, -1, {0}}};
  NodeScene file;
  file.meshes = {mesh};
  Node other, node;
  node.source = 70;
  node.mesh = 0;
  file.nodes = {other, node};
  file.materials.resize(1);
  file.materials[0].color_map.scale = {2.0, 1.0};
  return file;
}

TEST_CASE("a triangle has the material and coordinates of its own corners") {
  Findings findings;
  const preview::Surface surface =
      preview::surface_of(split_square(), points_of_square(), findings);
  CHECK(findings.empty());
  REQUIRE(surface.meshes.size() == 1);
  REQUIRE(surface.meshes[0].size() == 2);
  const preview::SurfaceTriangle &plain = surface.meshes[0][0], &moved = surface.meshes[0][1];
  CHECK(plain.material == -1);
  CHECK(plain.uvs[2] == Vector2f(1, 1));
  CHECK(plain.colors[0][0] == 0.5f);
  CHECK(moved.material == 0);
  CHECK(moved.uvs[0] == Vector2f(10, 0));
  CHECK(moved.uvs[1] == Vector2f(12, 1));
}

TEST_CASE("corners of a mirrored mesh follow its turned triangles") {
  Scene scene = points_of_square();
  scene.meshes[0].to_bind.linear()(0, 0) = -1.0;
  for (Triangle& t : scene.meshes[0].triangles) std::swap(t[1], t[2]);
  Findings findings;
  const preview::Surface surface = preview::surface_of(split_square(), scene, findings);
  CHECK(surface.meshes[0][0].uvs[1] == Vector2f(1, 1));
  CHECK(surface.meshes[0][0].uvs[2] == Vector2f(1, 0));
}

TEST_CASE("a missing or damaged picture is reported once") {
  NodeScene file = split_square();
  file.images = {{"dark", "image/png", {1, 2, 3}}};
  file.materials.resize(4);
  file.materials[0].color_map.image = file.materials[1].color_map.image = 0;
  file.materials[2].color_map.missing = file.materials[3].color_map.missing = "gone";
  Findings findings;
  const preview::Surface surface = preview::surface_of(file, points_of_square(), findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].message == "picture 'dark' is damaged");
  CHECK(findings[1].message == "gone");
  for (const Material& material : surface.materials) CHECK(material.color_map.image == -1);
  CHECK(surface.pictures.empty());
}

TEST_CASE("a mesh that the file does not have is white") {
  Scene scene = points_of_square();
  scene.meshes[0].node = 71;
  Findings findings;
  CHECK(preview::surface_of(split_square(), scene, findings).meshes[0].empty());
}

TEST_CASE("a scene takes the vertices that the file splits at seams") {
  Scene scene = points_of_square();
  preview::split_scene(split_square(), scene);
  const SceneMesh &mesh = scene.meshes[0], whole = points_of_square().meshes[0];
  CHECK(mesh.positions.size() == 6);
  REQUIRE(mesh.triangles.size() == 2);
  REQUIRE(mesh.weights.vertex_count() == 6);
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t now = mesh.triangles[t][k], before = whole.triangles[t][k];
      CHECK(mesh.positions[now] == whole.positions[before]);
      CHECK(mesh.weights.row(now)[0].joint == before);
    }
}

}  // namespace
}  // namespace gvbind
