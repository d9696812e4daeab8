#include <draco/compression/expert_encode.h>
#include <meshoptimizer.h>

#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"
#include "io/encoded_file.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

// A fan of `count` vertices on a circle.
std::vector<float> circle(std::size_t count) {
  std::vector<float> p;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 6.0 * static_cast<double>(i) / static_cast<double>(count);
    p.insert(p.end(), {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)),
                       static_cast<float>(i % 3)});
  }
  return p;
}

std::vector<std::uint32_t> fan_indices(std::size_t count) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 1; i + 1 < count; ++i) out.insert(out.end(), {0, i, i + 1});
  return out;
}

/// A view of `count` elements of `stride` bytes that exists only in compressed form; its fallback
/// is buffer 1, which has no bytes.
std::size_t meshopt_view(Sample& s, const Bytes& compressed, std::size_t count, std::size_t stride,
                         const char* mode, const char* filter, bool vertices) {
  const std::size_t plain = s.view(compressed);
  const Json source = s.json["bufferViews"][plain];
  Json view = {{"buffer", 1}, {"byteOffset", 0}, {"byteLength", count * stride}};
  if (vertices) view["byteStride"] = stride;
  view["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},
                                                   {"byteOffset", source["byteOffset"]},
                                                   {"byteLength", source["byteLength"]},
                                                   {"byteStride", stride},
                                                   {"count", count},
                                                   {"mode", mode},
                                                   {"filter", filter}};
  s.json["bufferViews"].push_back(view);
  return s.json["bufferViews"].size() - 1;
}

Bytes meshopt_vertices(const void* data, std::size_t count, std::size_t stride) {
  Bytes out(meshopt_encodeVertexBufferBound(count, stride));
  out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), data, count, stride));
  return out;
}

Bytes glb_with_fallback(const Sample& s, std::size_t fallback_size) {
  Json json = s.finished();
  json["buffers"].push_back({{"byteLength", fallback_size},
                             {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
  Bytes body, out = bytes_of("glTF");
  put_chunk(body, json_chunk, bytes_of(json.dump()), ' ');
  put_chunk(body, bin_chunk, s.bin, 0);
  put_u32(out, 2);
  put_u32(out, body.size() + 12);
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

Bytes meshopt_sample(const char* filter, bool sequence) {
  constexpr std::size_t count = 40;
  std::vector<float> p = circle(count);
  if (std::string(filter) == "EXPONENTIAL") {
    std::vector<float> coded(p.size());
    meshopt_encodeFilterExp(coded.data(), count, 12, 24, p.data());
    p = coded;
  }
  const std::vector<std::uint32_t> corners = fan_indices(count);
  Bytes indices(meshopt_encodeIndexBufferBound(corners.size(), count) + 4096);
  indices.resize(sequence ? meshopt_encodeIndexSequence(indices.data(), indices.size(),
                                                        corners.data(), corners.size())
                          : meshopt_encodeIndexBuffer(indices.data(), indices.size(),
                                                      corners.data(), corners.size()));
  Sample s;
  s.json["extensionsUsed"] = s.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  const std::size_t v =
      meshopt_view(s, meshopt_vertices(p.data(), count, 12), count, 12, "ATTRIBUTES", filter, true);
  const std::size_t i = meshopt_view(s, indices, corners.size(), 4,
                                     sequence ? "INDICES" : "TRIANGLES", "NONE", false);
  const std::size_t position = s.accessor(Json{{"bufferView", v},
                                               {"componentType", 5126},
                                               {"count", count},
                                               {"type", "VEC3"},
                                               {"min", {-1, -1, 0}},
                                               {"max", {1, 1, 2}}});
  const std::size_t index = s.accessor(Json{
      {"bufferView", i}, {"componentType", 5125}, {"count", corners.size()}, {"type", "SCALAR"}});
  s.mesh({{"attributes", {{"POSITION", position}}}, {"indices", index}});
  s.node({{"mesh", 0}});
  s.node({{"name", "a"}, {"children", {2}}});
  s.node({{"name", "b"}, {"translation", {0, 1, 0}}});
  s.json["scenes"].push_back({{"nodes", {0, 1}}});
  return glb_with_fallback(s, 4096);
}

struct DracoSample {
  Sample sample;
  std::size_t vertices = 30;
};

// Positions and normals compressed, texture coordinates not.
DracoSample draco_sample(bool shared_by_two_primitives = false, float radius = 1.0f) {
  DracoSample out;
  Sample& s = out.sample;
  std::vector<float> p = circle(out.vertices);
  for (float& value : p) value *= radius;
  draco::Mesh mesh;
  mesh.set_num_points(static_cast<std::uint32_t>(out.vertices));
  draco::GeometryAttribute attribute;
  attribute.Init(draco::GeometryAttribute::POSITION, nullptr, 3, draco::DT_FLOAT32, false, 12, 0);
  const int position = mesh.AddAttribute(attribute, true, mesh.num_points());
  attribute.Init(draco::GeometryAttribute::COLOR, nullptr, 4, draco::DT_UINT8, true, 4, 0);
  const int color = mesh.AddAttribute(attribute, true, mesh.num_points());
  for (std::uint32_t i = 0; i < out.vertices; ++i) {
    mesh.attribute(position)->SetAttributeValue(draco::AttributeValueIndex(i), p.data() + 3 * i);
    const std::uint8_t rgba[4] = {static_cast<std::uint8_t>(i), 7, 200, 255};
    mesh.attribute(color)->SetAttributeValue(draco::AttributeValueIndex(i), rgba);
  }
  const std::vector<std::uint32_t> corners = fan_indices(out.vertices);
  for (std::size_t t = 0; t < corners.size(); t += 3)
    mesh.AddFace({draco::PointIndex(corners[t]), draco::PointIndex(corners[t + 1]),
                  draco::PointIndex(corners[t + 2])});
  draco::ExpertEncoder encoder(mesh);
  encoder.SetEncodingMethod(draco::MESH_SEQUENTIAL_ENCODING);  // keeps the order of vertices
  draco::EncoderBuffer buffer;
  REQUIRE(encoder.EncodeToBuffer(&buffer).ok());
  const std::size_t view =
      s.view(std::vector<std::uint8_t>(buffer.data(), buffer.data() + buffer.size()));
  const Json shape = {{"componentType", 5126},
                      {"count", out.vertices},
                      {"type", "VEC3"},
                      {"min", {-1, -1, 0}},
                      {"max", {1, 1, 2}}};
  const std::size_t position_accessor = s.accessor(shape);
  const std::size_t color_accessor = s.accessor(Json{
      {"componentType", 5121}, {"normalized", true}, {"count", out.vertices}, {"type", "VEC4"}});
  const std::size_t index_accessor =
      s.accessor(Json{{"componentType", 5123}, {"count", corners.size()}, {"type", "SCALAR"}});
  const std::size_t uv = s.accessor(std::vector<float>(out.vertices * 2, 0.5f), "VEC2", 5126, 2);
  s.json["extensionsUsed"] = {"KHR_materials_unlit", "KHR_draco_mesh_compression"};
  s.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  const Json primitive = {
      {"attributes",
       {{"POSITION", position_accessor}, {"COLOR_0", color_accessor}, {"TEXCOORD_0", uv}}},
      {"indices", index_accessor},
      {"extensions",
       {{"KHR_draco_mesh_compression",
         {{"bufferView", view},
          {"attributes",
           {{"POSITION", mesh.attribute(position)->unique_id()},
            {"COLOR_0", mesh.attribute(color)->unique_id()}}}}}}}};
  s.mesh(primitive);
  if (shared_by_two_primitives) s.json["meshes"][0]["primitives"].push_back(primitive);
  s.node({{"mesh", 0}});
  s.node({{"name", "a"}, {"children", {2}}});
  s.node({{"name", "b"}, {"translation", {0, 1, 0}}});
  s.json["scenes"].push_back({{"nodes", {0, 1}}});
  return out;
}

}  // namespace

TEST_CASE("meshopt compressed views are decoded, with filters") {
  const std::vector<float> p = circle(40);
  for (const char* filter : {"NONE", "EXPONENTIAL"})
    for (const bool sequence : {false, true}) {
      INFO(filter << sequence);
      Findings findings;
      const auto document = parse_gltf(meshopt_sample(filter, sequence), "a.glb");
      const Scene scene = scene_of(*document, {}, findings);
      REQUIRE(scene.meshes.size() == 1);
      REQUIRE(scene.meshes[0].positions.size() == 40);
      for (std::size_t i = 0; i < p.size(); ++i)
        CHECK(scene.meshes[0].positions[i / 3][static_cast<Eigen::Index>(i % 3)] ==
              Approx(static_cast<double>(p[i])).margin(1e-6));
      // The codec may rotate a triangle's corners.
      REQUIRE(scene.meshes[0].triangles.size() == 38);
      for (std::uint32_t t = 0; t < 38; ++t) {
        Triangle corners = scene.meshes[0].triangles[t];
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()),
                    corners.end());
        CHECK(corners == Triangle{0, t + 1, t + 2});
      }
    }
}

TEST_CASE("octahedral normals and quaternions pass their filters") {
  // Read as positions, since this scene does not read normals.
  std::vector<std::int8_t> oct(4 * 16);
  std::vector<float> normals;
  for (int i = 0; i < 16; ++i)
    for (const double c : {std::cos(i), std::sin(i) * 0.6, std::sin(i) * 0.8, 0.0})
      normals.push_back(static_cast<float>(c));
  meshopt_encodeFilterOct(oct.data(), 16, 4, 8, normals.data());
  Sample s;
  const std::size_t v =
      meshopt_view(s, meshopt_vertices(oct.data(), 16, 4), 16, 4, "ATTRIBUTES", "OCTAHEDRAL", true);
  const std::size_t a = s.accessor(Json{{"bufferView", v},
                                        {"componentType", 5120},
                                        {"normalized", true},
                                        {"count", 16},
                                        {"type", "VEC3"}});
  s.mesh({{"attributes", {{"POSITION", a}}}});
  s.node({{"mesh", 0}});
  Findings findings;
  const Scene scene = scene_of(*parse_gltf(glb_with_fallback(s, 4096), "a.glb"), {}, findings);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(scene.meshes.at(0).positions.at(i)[static_cast<Eigen::Index>(c)] ==
            Approx(static_cast<double>(normals[4 * i + c])).margin(0.02));
}

TEST_CASE("a meshopt document is patched beside its compressed views") {
  const Bytes input = meshopt_sample("NONE", false);
  Findings findings;
  const auto document = parse_gltf(input, "a.glb");
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes = {mixed_weights(40, 2, 2)};
  patch_skin(*document, scene, weights);
  for (const char* name : {"out.glb", "out.gltf"}) {
    const ScratchFolder folder;
    for (const EncodedFile& file : encode_gltf(*document, folder.path() / name))
      folder.write(file.relative_path.empty() ? name : file.relative_path, file.bytes);
    const auto again = read_gltf(folder.path() / name);
    const Scene bound = scene_of(*again, {}, findings);
    CHECK(bound.meshes.at(0).positions == scene.meshes[0].positions);
    CHECK(bound.meshes[0].weights.joint == weights.meshes[0].joint);
  }
}

TEST_CASE("damaged or lying meshopt data are errors") {
  const Bytes input = meshopt_sample("NONE", false);
  const Chunks chunks = chunks_of(input);
  const auto message = [&](const char* key, const Json& value) {
    Sample s;
    s.bin = chunks.bin;
    s.json = chunks.json;
    s.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"][key] = value;
    const Json fallback = s.json["buffers"][1];
    s.json.erase("buffers");
    return error_of(ErrorKind::input, [&] { parse_gltf(glb_with_fallback(s, 4096), "a.glb"); });
  };
  CHECK(message("count", 100) == "a.glb: bufferViews[1]: damaged EXT_meshopt_compression data");
  CHECK(message("count", 4000000000u) ==
        "a.glb: bufferViews[1]: EXT_meshopt_compression with impossible sizes");
  CHECK(message("mode", "SECRET") == "a.glb: bufferViews[1]: damaged EXT_meshopt_compression data");
  CHECK(message("filter", "BLUR") ==
        "a.glb: bufferViews[1]: EXT_meshopt_compression filter \"BLUR\" does not fit");
  CHECK(message("byteLength", 1 << 20) ==
        "a.glb: bufferViews[1]: compressed data reach past their buffer");
}

TEST_CASE("a Draco primitive is decoded, and written plain when it gets a skin") {
  const DracoSample draco = draco_sample();
  const std::vector<float> p = circle(draco.vertices);
  Findings findings;
  const auto document = parsed(draco.sample);
  const Scene scene = scene_of(*document, {}, findings);
  REQUIRE(scene.meshes.at(0).positions.size() == draco.vertices);
  for (std::size_t i = 0; i < p.size(); ++i)
    CHECK(scene.meshes[0].positions[i / 3][static_cast<Eigen::Index>(i % 3)] ==
          Approx(static_cast<double>(p[i])).margin(1e-3));
  CHECK(scene.meshes[0].triangles.size() == draco.vertices - 2);

  CHECK(encoded(*document) == draco.sample.glb());

  SceneWeights weights;
  weights.meshes = {mixed_weights(draco.vertices, 2, 2)};
  patch_skin(*document, scene, weights);
  const Bytes output = encoded(*document);
  const Chunks chunks = chunks_of(output);
  const Json& primitive = chunks.json["meshes"][0]["primitives"][0];
  CHECK_FALSE(primitive.contains("extensions"));
  CHECK_FALSE(chunks.json.contains("extensionsRequired"));
  CHECK(chunks.json["extensionsUsed"] == Json::array({"KHR_materials_unlit"}));
  const Scene bound = scene_of(*parse_gltf(output, "again.glb"), {}, findings);
  CHECK(bound.meshes.at(0).positions == scene.meshes[0].positions);
  CHECK(bound.meshes[0].triangles == scene.meshes[0].triangles);
  CHECK(bound.meshes[0].weights.joint == weights.meshes[0].joint);
  // The bytes of colors are kept.
  const Json& color = chunks.json["accessors"][primitive["attributes"]["COLOR_0"].get<int>()];
  CHECK(color["normalized"] == true);
  const Json& view = chunks.json["bufferViews"][color["bufferView"].get<int>()];
  const std::size_t at = view["byteOffset"].get<std::size_t>();
  for (std::size_t i = 0; i < draco.vertices; ++i) {
    CHECK(chunks.bin[at + 4 * i] == i);
    CHECK(chunks.bin[at + 4 * i + 2] == 200);
  }
}

TEST_CASE("Draco primitives that share their data share it still when plain") {
  const DracoSample draco = draco_sample(true);
  Findings findings;
  const auto document = parsed(draco.sample);
  const Scene scene = scene_of(*document, {}, findings);
  REQUIRE(scene.meshes.at(0).positions.size() == draco.vertices);
  SceneWeights weights;
  weights.meshes = {mixed_weights(draco.vertices, 2, 2)};
  patch_skin(*document, scene, weights);
  const Scene bound = scene_of(*parse_gltf(encoded(*document), "again.glb"), {}, findings);
  CHECK(bound.meshes.at(0).positions == scene.meshes[0].positions);
  CHECK(bound.meshes[0].triangles == scene.meshes[0].triangles);
}

TEST_CASE(
    "Draco positions beyond the type of their accessor have the bounds of the stored values") {
  DracoSample draco = draco_sample(false, 1e36f);
  draco.sample.json["accessors"][0]["componentType"] = 5122;
  Findings findings;
  const auto document = parsed(draco.sample);
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes = {mixed_weights(draco.vertices, 2, 2)};
  patch_skin(*document, scene, weights);
  const Json json = chunks_of(encoded(*document)).json;
  const std::size_t positions = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
  CHECK(json["accessors"][positions]["min"] == Json({-32768, -32768, 0}));
  CHECK(json["accessors"][positions]["max"] == Json({32767, 32767, 32767}));
}

TEST_CASE("Draco indices that share their accessor with an attribute get one of their own") {
  DracoSample draco = draco_sample();
  draco.sample.json["meshes"][0]["primitives"][0]["indices"] = 0;
  Findings findings;
  const auto document = parsed(draco.sample);
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes = {mixed_weights(draco.vertices, 2, 2)};
  patch_skin(*document, scene, weights);
  const Scene bound = scene_of(*parse_gltf(encoded(*document), "again.glb"), {}, findings);
  CHECK(bound.meshes.at(0).triangles == scene.meshes.at(0).triangles);
}

TEST_CASE("damaged Draco data are an error that names the view") {
  DracoSample draco = draco_sample();
  draco.sample.bin[20] ^= 0xff;
  draco.sample.bin[5] ^= 0xff;
  const std::string message = error_of(ErrorKind::input, [&] { scene_of_sample(draco.sample); });
  CHECK(message == "sample.glb: bufferViews[0]: damaged KHR_draco_mesh_compression data");
}
