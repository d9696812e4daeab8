#include "preview/voxel_picture.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <sstream>

#include "support/shapes.h"

using namespace gvbind;

namespace {

Scene column() {
  const test::Shape shape = test::capsule({0, 0, 0}, {0, 4, 0}, 1.0);
  Scene scene;
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.name = "body";
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  SceneJoint joint;
  joint.name = "hips";
  joint.bind.translation() = Eigen::Vector3d(0, 0.5, 0);
  scene.joints = {joint, joint};
  scene.joints[1].parent = 0;
  scene.joints[1].name = "spine";
  scene.joints[1].bind.translation() = Eigen::Vector3d(0, 3, 0);
  return scene;
}

BindOptions edited() {
  BindOptions options;
  options.resolution = 32;
  options.device = Device::cpu;
  options.rules.edits = {{EditKind::cut, {Primitive::Kind::box, {-2, 1, -2}, {2, 1.5, 2}}},
                         {EditKind::add, {Primitive::Kind::sphere, {0.9, 4.0, 0}, {0, 0, 0}, 0.5}}};
  return options;
}

/// The directed edges of the faces of each kind.
using Edges = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;

double volume_of(const VoxelFaces& faces, VoxelKind kind) {
  double sum = 0.0;
  for (const VoxelFaces::Face& face : faces.faces) {
    if (face.kind != kind) continue;
    const Eigen::Vector3d &a = faces.corners[face.corner[0]], &b = faces.corners[face.corner[1]],
                          &c = faces.corners[face.corner[2]], &d = faces.corners[face.corner[3]];
    sum += a.dot(b.cross(c)) / 6.0 + a.dot(c.cross(d)) / 6.0;
  }
  return sum;
}

VoxelFaces kind_surfaces(const SolidVoxels& solid) {
  return voxel_faces(
      solid, [&](const Eigen::Vector3i& voxel) { return solid.kind(voxel); },
      [](VoxelKind own, VoxelKind other) { return own != other; });
}

std::array<int, 3> pixel(const preview::Image& image, int x, int y) {
  const std::size_t at = 3 * (static_cast<std::size_t>(y) * image.width + x);
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

}  // namespace

TEST_CASE("each kind of voxel is a closed surface around the volume of its voxels", "[voxels]") {
  const SceneVoxels made = scene_voxels(column(), edited(), Volume::automatic);
  REQUIRE(made.solids.size() == 1);
  const SolidVoxels& solid = made.solids[0];
  const VoxelFaces faces = kind_surfaces(solid);
  std::map<VoxelKind, std::size_t> counts;
  count_kinds(solid, counts);
  CHECK(counts.contains(VoxelKind::cut));
  CHECK(counts.contains(VoxelKind::added));
  const double side = voxel_size(32) / solid.cube.scale;
  for (const auto& [kind, count] : counts) {
    Edges edges;
    for (const VoxelFaces::Face& face : faces.faces)
      for (std::size_t k = 0; face.kind == kind && k < 4; ++k) {
        ++edges[{face.corner[k], face.corner[(k + 1) % 4]}];
        --edges[{face.corner[(k + 1) % 4], face.corner[k]}];
      }
    for (const auto& [edge, balance] : edges) CHECK(balance == 0);
    CHECK(volume_of(faces, kind) == Approx(static_cast<double>(count) * side * side * side));
  }
}

TEST_CASE("the solid covers the mesh, in its own space", "[voxels]") {
  BindOptions options = edited();
  options.rules = {};
  const Scene scene = column();
  const SceneVoxels made = scene_voxels(scene, options, Volume::automatic);
  Eigen::AlignedBox3d solid, mesh;
  for (const Eigen::Vector3d& p : kind_surfaces(made.solids[0]).corners) solid.extend(p);
  for (const Eigen::Vector3d& p : scene.meshes[0].positions) mesh.extend(p);
  const double side = voxel_size(32) / made.solids[0].cube.scale;
  CHECK(solid.contains(mesh));
  CHECK((solid.max() - mesh.max()).maxCoeff() <= side);
  CHECK((mesh.min() - solid.min()).maxCoeff() <= side);
}

TEST_CASE("PLY and OBJ hold the same faces", "[voxels]") {
  const SceneVoxels made = scene_voxels(column(), edited(), Volume::automatic);
  const VoxelFaces faces = kind_surfaces(made.solids[0]);
  const std::string ply = ply_of(made.solids), obj = obj_of(made.solids);
  const std::size_t head = ply.find("end_header\n") + std::strlen("end_header\n");
  CHECK(ply.find("element face " + std::to_string(faces.faces.size()) + "\n") < head);
  CHECK(ply.size() == head + 12 * faces.corners.size() + 21 * faces.faces.size());
  std::istringstream lines(obj);
  std::map<std::string, std::size_t> counts;
  std::string group;
  std::size_t vertices = 0;
  for (std::string line; std::getline(lines, line);) {
    vertices += line.starts_with("v ");
    if (line.starts_with("g ")) group = line.substr(2);
    if (line.starts_with("f ")) ++counts[group];
  }
  CHECK(vertices == faces.corners.size());
  std::size_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  CHECK(sum == faces.faces.size());
  CHECK(counts.contains("cut"));
  CHECK(counts.contains("added"));
}

TEST_CASE("an image shows cut voxels, outside and in the section", "[voxels]") {
  const SceneVoxels made = scene_voxels(column(), edited(), Volume::automatic);
  const preview::Image image = preview::render_voxels(made.solids, {}, 400);
  CHECK(image.width == 400);
  int red[2] = {0, 0}, green = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const auto [r, g, b] = pixel(image, x, y);
      red[x >= 200] += r > 2 * g && r > 2 * b;
      green += g > r + 30 && g > b + 30;
    }
  CHECK(red[0] > 200);
  CHECK(red[1] > 200);
  CHECK(green > 100);
}
