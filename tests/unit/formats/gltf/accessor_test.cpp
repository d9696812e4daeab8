#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Scene scene_with_positions(Sample& s, std::size_t accessor, const Json& node_extra = {}) {
  s.mesh({{"attributes", {{"POSITION", accessor}}}});
  Json node = {{"mesh", 0}};
  if (node_extra.is_object()) node.update(node_extra);
  s.node(node);
  return scene_of_sample(s);
}

void check_square(const Scene& scene, double scale = 1, double tolerance = 1e-6) {
  REQUIRE(scene.meshes.size() == 1);
  REQUIRE(scene.meshes[0].positions.size() == 4);
  const std::vector<float> expected = square();
  for (std::size_t i = 0; i < 12; ++i) {
    INFO(i);
    CHECK(scene.meshes[0].positions[i / 3][static_cast<Eigen::Index>(i % 3)] ==
          Approx(scale * static_cast<double>(expected[i])).margin(tolerance));
  }
}

template <typename T>
void check_normalized(int component, bool normalized, double expected_scale) {
  Sample s;
  std::vector<T> values;
  const double largest = static_cast<double>(std::numeric_limits<T>::max());
  for (const float f : square()) {
    const double low = std::numeric_limits<T>::is_signed ? -largest : 0;
    values.push_back(static_cast<T>(f < 0 ? low : f > 0 ? largest : 0));
    if (values.size() % 4 == 3) values.push_back(0);  // rows start at multiples of four bytes
  }
  const std::size_t v = s.view(values, 4 * sizeof(T));
  const std::size_t a = s.accessor(Json{{"bufferView", v},
                                        {"componentType", component},
                                        {"normalized", normalized},
                                        {"count", 4},
                                        {"type", "VEC3"}});
  s.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  const Scene scene = scene_with_positions(s, a);
  const std::vector<float> expected = square();
  for (std::size_t i = 0; i < 12; ++i) {
    double value = static_cast<double>(expected[i]) * expected_scale;
    if (!std::numeric_limits<T>::is_signed) value = std::max(value, 0.0);
    CHECK(scene.meshes.at(0).positions.at(i / 3)[static_cast<Eigen::Index>(i % 3)] == value);
  }
}

}  // namespace

TEST_CASE("positions with a stride and an offset") {
  Sample s;
  std::vector<float> values = {99, 99};
  const std::vector<float> p = square();
  for (std::size_t i = 0; i < 4; ++i) {
    values.insert(values.end(), p.begin() + static_cast<std::ptrdiff_t>(3 * i),
                  p.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
    if (i < 3) values.insert(values.end(), {99, 99});  // the last row needs no full stride
  }
  const std::size_t v = s.view(values, 20);
  const std::size_t a = s.accessor(Json{{"bufferView", v},
                                        {"byteOffset", 8},
                                        {"componentType", 5126},
                                        {"count", 4},
                                        {"type", "VEC3"}});
  check_square(scene_with_positions(s, a));
}

TEST_CASE("integer positions, normalized and not") {
  check_normalized<std::int8_t>(5120, true, 1.0);
  check_normalized<std::uint8_t>(5121, true, 1.0);
  check_normalized<std::int16_t>(5122, true, 1.0);
  check_normalized<std::uint16_t>(5123, true, 1.0);
  check_normalized<std::int8_t>(5120, false, 127.0);
  check_normalized<std::uint8_t>(5121, false, 255.0);
  check_normalized<std::int16_t>(5122, false, 32767.0);
  check_normalized<std::uint16_t>(5123, false, 65535.0);
}

TEST_CASE("the lowest signed integer is -1 too") {
  Sample s;
  const std::size_t v = s.view(std::vector<std::int16_t>{-32768, -32767, 0, 0}, 8);
  const std::size_t a = s.accessor(Json{{"bufferView", v},
                                        {"componentType", 5122},
                                        {"normalized", true},
                                        {"count", 1},
                                        {"type", "VEC3"}});
  const Scene scene = scene_with_positions(s, a);
  CHECK(scene.meshes.at(0).positions.at(0) == Eigen::Vector3d(-1, -1, 0));
}

TEST_CASE("sparse positions, over data and over zeros") {
  for (const bool over_data : {true, false}) {
    for (const int index_type : {5121, 5123, 5125}) {
      Sample s;
      std::vector<float> p = square();
      std::vector<float> base = p;
      base[3] = base[4] = base[9] = 42;  // wrong at vertices 1 and 3
      std::size_t indices = 0;
      if (index_type == 5121) indices = s.view(std::vector<std::uint8_t>{0, 1, 2, 3});
      if (index_type == 5123) indices = s.view(std::vector<std::uint16_t>{0, 1, 2, 3});
      if (index_type == 5125) indices = s.view(std::vector<std::uint32_t>{0, 1, 2, 3});
      const std::size_t values = s.view(p);
      Json a = {{"componentType", 5126}, {"count", 4}, {"type", "VEC3"}};
      if (over_data) a["bufferView"] = s.view(base);
      a["sparse"] = {{"count", 4},
                     {"indices", {{"bufferView", indices}, {"componentType", index_type}}},
                     {"values", {{"bufferView", values}}}};
      check_square(scene_with_positions(s, s.accessor(a)));
    }
  }
}

TEST_CASE("a sparse index past the end is an error") {
  Sample s;
  const std::size_t indices = s.view(std::vector<std::uint16_t>{4});
  const std::size_t values = s.view(std::vector<float>{1, 2, 3});
  const std::size_t a =
      s.accessor(Json{{"componentType", 5126},
                      {"count", 4},
                      {"type", "VEC3"},
                      {"sparse",
                       {{"count", 1},
                        {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                        {"values", {{"bufferView", values}}}}}});
  CHECK(error_of(ErrorKind::input, [&] { scene_with_positions(s, a); }) ==
        "sample.glb: accessors[0]: sparse index 0 is out of range");
}

TEST_CASE("the node's transform brings quantized positions back, also under a new skin") {
  Sample s;
  std::vector<std::int16_t> values;
  for (const float f : square()) {
    values.push_back(static_cast<std::int16_t>(f * 100 + 7));
    if (values.size() % 4 == 3) values.push_back(0);
  }
  const std::size_t v = s.view(values, 8);
  const std::size_t a =
      s.accessor(Json{{"bufferView", v}, {"componentType", 5122}, {"count", 4}, {"type", "VEC3"}});
  s.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  s.mesh({{"attributes", {{"POSITION", a}}}});
  s.node({{"mesh", 0}, {"scale", {0.01, 0.01, 0.01}}, {"translation", {-0.07, -0.07, -0.07}}});
  s.node({{"name", "a"}, {"children", {2, 3}}});
  s.node({{"name", "b"}, {"translation", {0, 1, 0}}});
  s.node({{"name", "c"}, {"translation", {1, 0, 0}}});
  Findings findings;
  const auto document = parsed(s);
  const Scene scene = scene_of(*document, {}, findings);
  check_square(scene);
  REQUIRE(scene.joints.size() == 3);
  SceneWeights weights;
  weights.meshes = {mixed_weights(4, 3, 3)};
  patch_skin(*document, scene, weights);
  const auto again = parse_gltf(encoded(*document), "again.glb");
  const Scene bound = scene_of(*again, {}, findings);
  check_square(bound);
  CHECK(bound.meshes[0].skin_joints == std::vector<int>{0, 1, 2});
}

TEST_CASE("old weights: normalized integers, several sets, rows that sum to nothing") {
  Sample s = skinned_square();
  Json& attributes = s.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = s.accessor(
      std::vector<std::uint16_t>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0}, "VEC4", 5123, 4);
  attributes["WEIGHTS_0"] =
      s.accessor(std::vector<std::uint8_t>{51, 204, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 51, 51, 0, 0},
                 "VEC4", 5121, 4);
  s.json["accessors"].back()["normalized"] = true;
  attributes["JOINTS_1"] = s.accessor(std::vector<std::uint8_t>(16, 0), "VEC4", 5121, 4);
  std::vector<std::uint16_t> second(16, 0);
  second[12] = 65535;
  attributes["WEIGHTS_1"] = s.accessor(second, "VEC4", 5123, 4);
  s.json["accessors"].back()["normalized"] = true;
  const Scene scene = scene_of_sample(s);
  const SkinWeights& w = scene.meshes.at(0).weights;
  REQUIRE(w.first == std::vector<std::uint32_t>{0, 2, 3, 3, 5});
  CHECK(w.joint == std::vector<std::uint32_t>{1, 0, 1, 0, 1});
  CHECK(w.weight[0] == 0.8f);
  CHECK(w.weight[1] == 0.2f);
  CHECK(w.weight[2] == 1.0f);
  CHECK(w.weight[3] == 1.0f);
  CHECK(w.weight[4] == 0.4f);
}

TEST_CASE("old weights of missing joints are left out and reported") {
  Sample s = skinned_square();
  s.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] =
      s.accessor(std::vector<std::uint8_t>(16, 7), "VEC4", 5121, 4);
  Findings findings;
  const Scene scene = scene_of(*parsed(s), {}, findings);
  CHECK(scene.meshes.at(0).weights.joint.empty());
  CHECK(scene.meshes.at(0).damaged_weights > 0);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "weights-damaged");

  Findings without_rows;
  const Scene bare = scene_of(*parsed(s), {}, without_rows, {.weights = false});
  CHECK(bare.meshes.at(0).weights.empty());
  CHECK(bare.meshes.at(0).skin_joints == scene.meshes.at(0).skin_joints);
  CHECK(bare.meshes.at(0).damaged_weights == scene.meshes.at(0).damaged_weights);
  REQUIRE(without_rows.size() == 1);
  CHECK(without_rows[0].message == findings[0].message);
}

TEST_CASE("old weights whose sum is beyond single precision are left out and reported") {
  Sample s = skinned_square();
  Json& attributes = s.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = s.accessor(std::vector<std::uint8_t>(16, 1), "VEC4", 5121, 4);
  attributes["WEIGHTS_0"] = s.accessor(
      std::vector<float>{3e38f, 3e38f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5126, 4);
  Findings findings;
  const Scene scene = scene_of(*parsed(s), {}, findings);
  CHECK(scene.meshes.at(0).weights.weight == std::vector<float>{1, 1, 1});
  CHECK(scene.meshes.at(0).damaged_weights == 2);
  CHECK(scene.meshes.at(0).damaged_vertices == std::vector<std::uint32_t>{0});
}
