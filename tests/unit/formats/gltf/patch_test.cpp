#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"
#include "formats/gltf/unchanged.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

struct Patched {
  Scene before, after;
  Bytes input, output;
  Chunks chunks;
};

Patched patch(const Sample& s, const std::vector<SkinWeights>& weights) {
  Patched p;
  p.input = s.glb();
  Findings findings;
  const auto document = parse_gltf(p.input, "in.glb");
  p.before = scene_of(*document, {}, findings);
  SceneWeights skin;
  skin.meshes = weights;
  patch_skin(*document, p.before, skin);
  p.output = encoded(*document);
  p.chunks = chunks_of(p.output);
  p.after = scene_of(*parse_gltf(p.output, "out.glb"), {}, findings);
  check_unchanged(chunks_of(p.input), p.chunks);
  return p;
}

void check_weights(const SkinWeights& read, const SkinWeights& written) {
  CHECK(read.first == written.first);
  CHECK(read.joint == written.joint);
  REQUIRE(read.weight.size() == written.weight.size());
  for (std::size_t i = 0; i < read.weight.size(); ++i)
    CHECK(read.weight[i] == Approx(written.weight[i]).margin(2e-7));
}

const Json& attributes_of(const Chunks& c, std::size_t mesh = 0, std::size_t primitive = 0) {
  return c.json["meshes"][mesh]["primitives"][primitive]["attributes"];
}

// A square without a skin, and a chain of `joints` nodes.
Sample chain(std::size_t joints) {
  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "body"}, {"mesh", 0}, {"translation", {0.5, 0.25, 0.0}}});
  for (std::size_t j = 0; j < joints; ++j) {
    s.node({{"name", "j" + std::to_string(j)}, {"translation", {0.0, 0.1, 0.0}}});
    if (j > 0) s.json["nodes"][j]["children"] = {j + 1};
  }
  s.json["scenes"].push_back({{"nodes", {0, 1}}});
  return s;
}

}  // namespace

TEST_CASE("new weights take the old ones' place, the old skin stays") {
  const SkinWeights w =
      weights_from({{{1, 1.0f}}, {{0, 0.5f}, {1, 0.5f}}, {{0, 1.0f}}, {{1, 1.0f}}});
  const Patched p = patch(skinned_square(), {w});
  check_weights(p.after.meshes.at(0).weights, w);
  CHECK(p.chunks.json["skins"] == chunks_of(p.input).json["skins"]);
  CHECK(p.chunks.json["accessors"].size() == 7);
  CHECK(p.after.meshes[0].positions == p.before.meshes[0].positions);
}

TEST_CASE("more than four influences go to further sets, and fewer take sets away") {
  const Patched six = patch(chain(9), {mixed_weights(4, 9, 9)});
  // The fourth vertex has four joints, so one set is enough.
  CHECK_FALSE(attributes_of(six.chunks).contains("JOINTS_1"));
  const SkinWeights wide =
      weights_from({{{0, 0.3f}, {1, 0.2f}, {2, 0.2f}, {3, 0.1f}, {4, 0.1f}, {5, 0.1f}},
                    {{8, 1.0f}},
                    {{3, 1.0f}},
                    {{2, 1.0f}}});
  const Patched p = patch(chain(9), {wide});
  CHECK(attributes_of(p.chunks).contains("WEIGHTS_1"));
  CHECK_FALSE(attributes_of(p.chunks).contains("WEIGHTS_2"));
  check_weights(p.after.meshes.at(0).weights, wide);

  Findings findings;
  const auto document = parse_gltf(p.output, "again.glb");
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights narrow;
  narrow.meshes = {mixed_weights(4, 9, 2)};
  patch_skin(*document, scene, narrow);
  const Chunks again = chunks_of(encoded(*document));
  CHECK(attributes_of(again).contains("JOINTS_0"));
  CHECK_FALSE(attributes_of(again).contains("JOINTS_1"));
  CHECK_FALSE(attributes_of(again).contains("WEIGHTS_1"));
}

TEST_CASE("stored weights sum to one as floats can, lanes without weight name joint 0") {
  SkinWeights w;
  for (int v = 0; v < 4; ++v) {
    for (std::uint32_t j = 0; j < 7; ++j) {
      w.joint.push_back(j);
      w.weight.push_back(1.0f / (3.0f + static_cast<float>(v) + static_cast<float>(j)));
    }
    w.first.push_back(static_cast<std::uint32_t>(w.joint.size()));
  }
  const Patched p = patch(chain(7), {w});
  std::vector<double> sum(4, 0);
  std::size_t zero_lanes = 0;
  for (const int set : {0, 1}) {
    const auto at = [&](const std::string& name) {
      const Json& a =
          p.chunks
              .json["accessors"][attributes_of(p.chunks)[name + std::to_string(set)].get<int>()];
      const Json& v = p.chunks.json["bufferViews"][a["bufferView"].get<int>()];
      return v["byteOffset"].get<std::size_t>() + a.value("byteOffset", std::size_t{0});
    };
    for (std::size_t i = 0; i < 16; ++i) {
      float weight = 0;
      std::memcpy(&weight, p.chunks.bin.data() + at("WEIGHTS_") + 4 * i, 4);
      sum[i / 4] += static_cast<double>(weight);
      if (weight > 0) continue;
      ++zero_lanes;
      CHECK(p.chunks.bin[at("JOINTS_") + i] == 0);
    }
  }
  CHECK(zero_lanes == 4);
  for (const double s : sum) CHECK(std::abs(s - 1) < 1e-7);
}

TEST_CASE("a new skin binds the mesh where it stands") {
  const Patched p = patch(chain(3), {mixed_weights(4, 3, 3)});
  REQUIRE(p.chunks.json["skins"].size() == 1);
  CHECK(p.chunks.json["nodes"][0]["skin"] == 0);
  CHECK(p.chunks.json["skins"][0]["joints"] == Json({1, 2, 3}));
  for (std::size_t v = 0; v < 4; ++v)
    CHECK((p.after.meshes.at(0).positions[v] - p.before.meshes.at(0).positions[v]).norm() < 1e-6);
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(p.after.joints.at(j).bind.isApprox(p.before.joints.at(j).bind, 1e-6));
  // The last rows are exact, as the specification requires.
  const Json& accessor =
      p.chunks
          .json["accessors"][p.chunks.json["skins"][0]["inverseBindMatrices"].get<std::size_t>()];
  const std::size_t at =
      p.chunks.json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"]
          .get<std::size_t>();
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t column = 0; column < 4; ++column) {
      float last = -1;
      std::memcpy(&last, p.chunks.bin.data() + at + 64 * m + 16 * column + 12, 4);
      CHECK(last == (column == 3 ? 1.0f : 0.0f));
    }
}

TEST_CASE("256 joints fit into bytes, 257 do not") {
  for (const std::size_t joints : {256, 257}) {
    const SkinWeights w = weights_from(
        {{{static_cast<std::uint32_t>(joints - 1), 1.0f}}, {{0, 1.0f}}, {{1, 1.0f}}, {{2, 1.0f}}});
    const Patched p = patch(chain(joints), {w});
    const std::size_t a = attributes_of(p.chunks)["JOINTS_0"].get<std::size_t>();
    CHECK(p.chunks.json["accessors"][a]["componentType"] == (joints == 256 ? 5121 : 5123));
    check_weights(p.after.meshes.at(0).weights, w);
  }
}

TEST_CASE("a joint that the skin lacks is added at its end, old matrices bit by bit") {
  Sample s = skinned_square();
  s.node({{"name", "head"}, {"translation", {0, 1, 0}}});
  s.json["nodes"][2]["children"] = {3};
  const float odd = 0.1f;
  std::memcpy(s.bin.data() + s.bin.size() - 16, &odd, 4);  // the x component of the second matrix
  s.json["skins"][0]["skeleton"] = 1;
  // A second mesh whose skin uses the head.
  s.mesh(square_primitive(s));
  std::vector<float> matrix = translation(0, -2, 0);
  const std::size_t m = s.accessor(matrix, "MAT4", 5126, 16);
  s.json["skins"].push_back({{"inverseBindMatrices", m}, {"joints", {3}}});
  s.node({{"name", "hair"}, {"mesh", 1}, {"skin", 1}});

  const SkinWeights w = weights_from({{{2, 1.0f}}, {{0, 1.0f}}, {{1, 1.0f}}, {{0, 1.0f}}});
  const Patched p = patch(s, {w, {}});
  check_weights(p.after.meshes.at(0).weights, w);
  CHECK(p.chunks.json["skins"][0]["joints"] == Json({1, 2, 3}));
  CHECK(p.chunks.json["skins"][0]["skeleton"] == 1);
  CHECK(p.chunks.json["skins"][1] == s.json["skins"][1]);
  const auto matrices = [&](const Chunks& c) {
    const std::size_t a = c.json["skins"][0]["inverseBindMatrices"].get<std::size_t>();
    const std::size_t v = c.json["accessors"][a]["bufferView"].get<std::size_t>();
    return c.bin.begin() + c.json["bufferViews"][v]["byteOffset"].get<std::ptrdiff_t>();
  };
  const Chunks old = chunks_of(p.input);
  CHECK(std::equal(matrices(old), matrices(old) + 128, matrices(p.chunks)));
}

TEST_CASE("a mesh shown by two nodes is copied where their weights differ") {
  Sample s = chain(2);
  s.node({{"name", "twin"}, {"mesh", 0}, {"translation", {7.0, 0.0, 0.0}}});
  const SkinWeights a = weights_from({{{0, 1.0f}}, {{0, 1.0f}}, {{1, 1.0f}}, {{1, 1.0f}}});
  const SkinWeights b = weights_from({{{1, 1.0f}}, {{0, 1.0f}}, {{1, 1.0f}}, {{1, 1.0f}}});
  const auto mesh_of = [](const Patched& p, int node) {
    return p.chunks.json["nodes"][static_cast<std::size_t>(node)]["mesh"];
  };
  SECTION("different weights") {
    const Patched p = patch(s, {a, b});
    CHECK(mesh_of(p, 0) == 0);
    CHECK(mesh_of(p, 3) == 1);
    CHECK(attributes_of(p.chunks, 0)["POSITION"] == attributes_of(p.chunks, 1)["POSITION"]);
    CHECK(p.chunks.json["skins"].size() == 2);
    check_weights(p.after.meshes.at(0).weights, a);
    check_weights(p.after.meshes.at(1).weights, b);
    CHECK((p.after.meshes[1].positions[0] - p.before.meshes[1].positions[0]).norm() < 1e-6);
  }
  SECTION("equal weights share the mesh, not the skin") {
    const Patched p = patch(s, {a, a});
    CHECK(mesh_of(p, 3) == 0);
    CHECK(p.chunks.json["meshes"].size() == 1);
    CHECK(p.chunks.json["skins"].size() == 2);
    CHECK(p.chunks.json["nodes"][0]["skin"] != p.chunks.json["nodes"][3]["skin"]);
  }
  SECTION("the node that is left alone keeps the old mesh") {
    const Patched p = patch(s, {{}, b});
    CHECK(mesh_of(p, 0) == 0);
    CHECK(mesh_of(p, 3) == 1);
    CHECK_FALSE(attributes_of(p.chunks, 0).contains("JOINTS_0"));
    CHECK_FALSE(p.chunks.json["nodes"][0].contains("skin"));
  }
}

TEST_CASE("meshes in one place share a skin") {
  Sample s = chain(2);
  s.mesh(square_primitive(s));
  s.node({{"name", "twin"}, {"mesh", 1}, {"translation", {0.5, 0.25, 0.0}}});
  const Patched p = patch(s, {mixed_weights(4, 2, 2), mixed_weights(4, 2, 1)});
  CHECK(p.chunks.json["skins"].size() == 1);
}

TEST_CASE("primitives that share positions share the new accessors") {
  Sample s = chain(2);
  Json& primitives = s.json["meshes"][0]["primitives"];
  const Json first = primitives[0];
  const std::size_t more = s.positions({5, 5, 5, 6, 5, 5, 5, 6, 5});
  primitives.push_back({{"attributes", {{"POSITION", more}}}});
  primitives.push_back(first);
  const SkinWeights w = mixed_weights(7, 2, 2);
  const Patched p = patch(s, {w});
  check_weights(p.after.meshes.at(0).weights, w);
  CHECK(attributes_of(p.chunks, 0, 0) == attributes_of(p.chunks, 0, 2));
  CHECK(attributes_of(p.chunks, 0, 0)["JOINTS_0"] != attributes_of(p.chunks, 0, 1)["JOINTS_0"]);
}

TEST_CASE("primitives that share positions but not weights keep their own") {
  Sample s = skinned_square();
  Json second = s.json["meshes"][0]["primitives"][0];
  second["attributes"]["JOINTS_0"] = s.accessor(
      std::vector<std::uint8_t>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5121, 4);
  second["attributes"]["WEIGHTS_0"] = s.accessor(
      std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5126, 4);
  s.json["meshes"][0]["primitives"].push_back(second);
  const SkinWeights w = mixed_weights(8, 2, 2);
  const Patched p = patch(s, {w});
  const SkinWeights& before = p.before.meshes.at(0).weights;
  REQUIRE(before.vertex_count() == 8);
  CHECK(before.joint[before.first[4]] == 1);
  check_weights(p.after.meshes.at(0).weights, w);
  CHECK(attributes_of(p.chunks, 0, 0)["POSITION"] == attributes_of(p.chunks, 0, 1)["POSITION"]);
}

TEST_CASE("joints without a common root get one, and nothing moves") {
  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "body"}, {"mesh", 0}});
  s.node({{"name", "left"}, {"translation", {1, 0, 0}}});
  s.node({{"name", "right"}, {"translation", {-1, 0, 0}}});
  s.json["skins"].push_back({{"joints", {1, 2}}});
  s.json["scenes"].push_back({{"nodes", {0, 1, 2}}});
  Findings findings;
  const auto document = parsed(s);
  const Scene before = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes = {mixed_weights(4, 2, 2)};
  patch_skin(*document, before, weights);
  const Bytes output = encoded(*document);
  const Json json = chunks_of(output).json;
  CHECK(json["scenes"][0]["nodes"] == Json({0, 3}));
  CHECK(json["nodes"][3]["children"] == Json({1, 2}));
  const Scene after = scene_of(*parse_gltf(output, "out.glb"), {}, findings);
  CHECK(after.joints.at(1).bind.isApprox(before.joints.at(1).bind));
}

TEST_CASE("a patch of a .gltf adds one buffer and leaves the old one") {
  const ScratchFolder folder;
  const Sample s = skinned_square();
  Json json = s.finished();
  json["buffers"][0]["uri"] = "body.bin";
  folder.write("body.bin", s.bin);
  folder.write("body.gltf", bytes_of(json.dump(2)));
  Findings findings;
  const auto document = read_gltf(folder.path() / "body.gltf");
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes = {mixed_weights(4, 2, 2)};
  patch_skin(*document, scene, weights);
  const auto files = encode_gltf(*document, folder.path() / "new.gltf");
  REQUIRE(files.size() == 2);
  CHECK(files[1].relative_path == "new.gvbind.bin");
  const Json out = Json::parse(files[0].bytes);
  CHECK(out["buffers"][0] == json["buffers"][0]);
  CHECK(out["buffers"][1]["uri"] == "new.gvbind.bin");
  CHECK(out["buffers"][1]["byteLength"] == files[1].bytes.size());
  CHECK(std::string(files[0].bytes.begin(), files[0].bytes.end()).starts_with("{\n  \"asset\""));
}

TEST_CASE("a joint without an inverse is refused by its name") {
  for (const double scale : {1e-30, 1e-25}) {
    Sample s = chain(3);
    s.json["nodes"][2]["scale"] = {scale, scale, scale};
    s.json["nodes"][2]["translation"] = {0.0, 1e20, 0.0};
    Findings findings;
    const auto document = parse_gltf(s.glb(), "in.glb");
    const Scene scene = scene_of(*document, {}, findings);
    SkinWeights weights;
    for (std::size_t v = 0; v < scene.meshes[0].positions.size(); ++v) {
      weights.joint.push_back(1);
      weights.weight.push_back(1.0f);
      weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
    }
    SceneWeights skin;
    skin.meshes = {weights};
    try {
      patch_skin(*document, scene, skin);
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::cannot_bind);
      CHECK_THAT(error.what(), Catch::Contains("joint \"j1\": its transform has no inverse"));
    }
  }
}
