#include "motion/cells_file.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string>

#include "bind/cache_stream.h"
#include "gvbind/error.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

/// Cells of two joints beside each other along x.
motion::SkinCells two_cells() {
  motion::SkinCells cells;
  cells.size = 4.0;
  cells.max_influences = 2;
  for (const char* name : {"left", "right"}) {
    const double x = name[0] == 'l' ? -1.0 : 1.0;
    cells.joints.push_back({name, {x, 0.25, 0.0}});
    for (std::size_t k = 0; k < motion::sites_per_cell; ++k) {
      const double y = 0.05 * static_cast<double>(k);
      for (const double number : {0.01 * x, y, 0.0, 0.1, -0.1, 0.0, 0.0, 0.0, 0.1, 1.0, -3.0})
        cells.numbers.push_back(number);
    }
    cells.numbers.push_back(0.3);
    cells.numbers.push_back(-4.0);
  }
  motion::round_cells(cells);
  return cells;
}

Scene scene_of_cells(const motion::SkinCells& cells) {
  Scene scene;
  for (auto owner = cells.joints.rbegin(); owner != cells.joints.rend(); ++owner) {
    SceneJoint joint;
    joint.name = owner->name;
    joint.bind = Eigen::Translation3d(owner->position);
    scene.joints.push_back(joint);
  }
  SceneMesh mesh;
  const test::Shape shape = test::capsule({-2, 0, 0}, {2, 0, 0}, 0.5, 8, 12);
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  scene.meshes.push_back(mesh);
  return scene;
}

std::string refusal_of(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

std::string decode_refusal(std::span<const std::uint8_t> bytes) {
  return refusal_of([&] { motion::decode_cells(bytes); });
}

TEST_CASE("cells come out of a file as they went in") {
  const motion::SkinCells cells = two_cells();
  const std::vector<std::uint8_t> bytes = motion::encode_cells(cells);
  const motion::SkinCells again = motion::decode_cells(bytes);
  CHECK(again.numbers == cells.numbers);
  CHECK(again.size == cells.size);
  CHECK(again.max_influences == 2);
  REQUIRE(again.count() == 2);
  CHECK(again.joints[1].name == "right");
  CHECK(again.joints[1].position == cells.joints[1].position);
  CHECK(motion::encode_cells(again) == bytes);
  CHECK(bytes.size() < 2000);
}

TEST_CASE("every damaged byte and every cut of a file of cells is refused") {
  const std::vector<std::uint8_t> whole = motion::encode_cells(two_cells());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::uint8_t> bytes = whole;
    bytes[i] ^= 0x10;
    CHECK(decode_refusal(bytes).find("file of cells") != std::string::npos);
    CHECK(decode_refusal(std::span(whole).first(i)).find("file of cells") != std::string::npos);
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  CHECK(decode_refusal(longer).find("damaged") != std::string::npos);
  std::vector<std::uint8_t> newer = whole;
  newer[std::strlen("gvbind cells ")] = '2';
  CHECK(decode_refusal(newer).find("another version") != std::string::npos);
}

TEST_CASE("a file of cells with numbers that cannot be is refused though its checksum holds") {
  const auto refusal = [](const auto& change) {
    motion::SkinCells cells = two_cells();
    change(cells);
    return decode_refusal(motion::encode_cells(cells));
  };
  CHECK(refusal([](motion::SkinCells&) {}).empty());
  CHECK(refusal([](motion::SkinCells& c) { c.numbers[3] = NAN; }).find("finite") !=
        std::string::npos);
  CHECK(refusal([](motion::SkinCells& c) { c.numbers[0] = 1e9; }).find("too large") !=
        std::string::npos);
  CHECK(refusal([](motion::SkinCells& c) {
          c.numbers[motion::cell_exponent] = 50;
        }).find("too large") != std::string::npos);
  CHECK(refusal([](motion::SkinCells& c) {
          for (std::size_t i = motion::site_rotation; i < motion::site_rounding; ++i)
            c.numbers[i] = 0.0;
        }).find("turn") != std::string::npos);
  CHECK(refusal([](motion::SkinCells& c) { c.size = 0.0; }).find("size") != std::string::npos);
  CHECK(refusal([](motion::SkinCells& c) { c.max_influences = 9; }).find("joints per point") !=
        std::string::npos);
  CHECK(refusal([](motion::SkinCells& c) { c.joints.clear(); }).find("no cell") !=
        std::string::npos);
}

TEST_CASE("cells weigh the meshes of another scene by the names of its joints") {
  const motion::SkinCells cells = two_cells();
  Scene scene = scene_of_cells(cells);
  const SceneBinding binding = motion::bind_from_cells(scene, 4, cells);
  REQUIRE(binding.weights.meshes.size() == 1);
  const SkinWeights& rows = binding.weights.meshes[0];
  REQUIRE(rows.vertex_count() == scene.meshes[0].positions.size());
  for (std::size_t v = 0; v < rows.vertex_count(); ++v) {
    REQUIRE(rows.row(v).size() >= 1);
    if (std::abs(scene.meshes[0].positions[v].x()) > 0.5)
      CHECK(rows.row(v)[0].joint == (scene.meshes[0].positions[v].x() < 0.0 ? 1 : 0));
  }
  const SceneBinding one = motion::bind_from_cells(scene, 1, cells);
  CHECK(one.weights.meshes[0].joint.size() == rows.vertex_count());

  const auto refused = [&](const char* says) {
    CHECK(refusal_of([&] { motion::bind_from_cells(scene, 4, cells); }).find(says) !=
          std::string::npos);
  };
  scene.joints[0].bind.translation().x() += 0.1;
  refused("lies elsewhere");
  scene = scene_of_cells(cells);
  scene.joints[1].name = "other";
  refused("'left' of the file of cells is missing");
  scene = scene_of_cells(cells);
  scene.joints[1].deforms = false;
  refused("may not own weight");
  scene = scene_of_cells(cells);
  scene.meshes[0].selected = false;
  refused("no mesh");
}

}  // namespace
}  // namespace gvbind
