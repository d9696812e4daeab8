#include "gltf_seeds.h"

#include <draco/compression/expert_encode.h>
#include <meshoptimizer.h>

#include "formats/gltf/sample.h"
#include "support/shapes.h"

namespace gvbind::fuzz {
namespace {

using test::Bytes;
using test::Json;
using test::Sample;

struct Body {
  std::vector<float> positions;
  std::vector<std::uint32_t> corners;
  std::size_t vertices() const { return positions.size() / 3; }
};

Body body() {
  const test::Shape shape = test::capsule({0, 0, 0}, {0, 1, 0}, 0.2, 6, 4);
  Body out;
  for (const Eigen::Vector3d& p : shape.positions)
    for (int axis = 0; axis < 3; ++axis) out.positions.push_back(static_cast<float>(p[axis]));
  for (const Triangle& triangle : shape.triangles)
    out.corners.insert(out.corners.end(), triangle.begin(), triangle.end());
  return out;
}

Json position_shape(std::size_t count) {
  return {{"componentType", 5126},
          {"count", count},
          {"type", "VEC3"},
          {"min", {-0.2, -0.2, -0.2}},
          {"max", {0.2, 1.2, 0.2}}};
}

/// Adds a node with mesh 0, and two joints without a skin.
void add_nodes(Sample& s) {
  s.node({{"name", "body"}, {"mesh", 0}});
  s.node({{"name", "hip"}, {"children", {2}}});
  s.node({{"name", "chest"}, {"translation", {0, 0.5, 0}}});
  s.json["scenes"].push_back({{"nodes", {0, 1}}});
}

Bytes draco_seed() {
  const Body b = body();
  draco::Mesh mesh;
  mesh.set_num_points(static_cast<std::uint32_t>(b.vertices()));
  draco::GeometryAttribute attribute;
  attribute.Init(draco::GeometryAttribute::POSITION, nullptr, 3, draco::DT_FLOAT32, false, 12, 0);
  const int position = mesh.AddAttribute(attribute, true, mesh.num_points());
  for (std::uint32_t i = 0; i < b.vertices(); ++i)
    mesh.attribute(position)->SetAttributeValue(draco::AttributeValueIndex(i),
                                                b.positions.data() + 3 * std::size_t{i});
  for (std::size_t c = 0; c < b.corners.size(); c += 3)
    mesh.AddFace({draco::PointIndex(b.corners[c]), draco::PointIndex(b.corners[c + 1]),
                  draco::PointIndex(b.corners[c + 2])});
  draco::ExpertEncoder encoder(mesh);
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeToBuffer(&buffer).ok()) throw Error(ErrorKind::internal, "draco failed");
  Sample s;
  const std::size_t view =
      s.view(std::vector<std::uint8_t>(buffer.data(), buffer.data() + buffer.size()));
  const std::size_t positions = s.accessor(position_shape(b.vertices()));
  const std::size_t indices =
      s.accessor(Json{{"componentType", 5123}, {"count", b.corners.size()}, {"type", "SCALAR"}});
  s.json["extensionsUsed"] = s.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  s.mesh({{"attributes", {{"POSITION", positions}}},
          {"indices", indices},
          {"extensions",
           {{"KHR_draco_mesh_compression",
             {{"bufferView", view},
              {"attributes", {{"POSITION", mesh.attribute(position)->unique_id()}}}}}}}});
  add_nodes(s);
  return s.glb();
}

std::size_t meshopt_view(Sample& s, const Bytes& compressed, std::size_t count, std::size_t stride,
                         const char* mode, const char* filter) {
  const Json source = s.json["bufferViews"][s.view(compressed)];
  Json view = {{"buffer", 0}, {"byteOffset", 0}, {"byteLength", count * stride}};
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

Bytes meshopt_seed(const char* filter) {
  Body b = body();
  const std::size_t count = b.vertices();
  if (std::string(filter) == "EXPONENTIAL") {
    const std::vector<float> plain = b.positions;
    meshopt_encodeFilterExp(b.positions.data(), count, 12, 24, plain.data());
  }
  Bytes vertices(meshopt_encodeVertexBufferBound(count, 12));
  vertices.resize(
      meshopt_encodeVertexBuffer(vertices.data(), vertices.size(), b.positions.data(), count, 12));
  Bytes indices(meshopt_encodeIndexBufferBound(b.corners.size(), count));
  indices.resize(meshopt_encodeIndexBuffer(indices.data(), indices.size(), b.corners.data(),
                                           b.corners.size()));
  Sample s;
  s.json["extensionsUsed"] = s.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  const std::size_t vertex_view = meshopt_view(s, vertices, count, 12, "ATTRIBUTES", filter);
  const std::size_t index_view = meshopt_view(s, indices, b.corners.size(), 4, "TRIANGLES", "NONE");
  Json shape = position_shape(count);
  shape["bufferView"] = vertex_view;
  const std::size_t positions = s.accessor(shape);
  const std::size_t corners = s.accessor(Json{{"bufferView", index_view},
                                              {"componentType", 5125},
                                              {"count", b.corners.size()},
                                              {"type", "SCALAR"}});
  s.mesh({{"attributes", {{"POSITION", positions}}}, {"indices", corners}});
  add_nodes(s);
  // The extension requires that the views also fit in the uncompressed buffer.
  s.bin.resize(std::max(s.bin.size(), std::max(count * 12, b.corners.size() * 4)));
  return s.glb();
}

/// Positions as normalized 16-bit integers below a scaled node, with sparse replacements, used by
/// two nodes; one primitive is a triangle strip.
Bytes sparse_seed() {
  const Body b = body();
  std::vector<std::int16_t> quantized;
  for (const float value : b.positions)
    quantized.push_back(static_cast<std::int16_t>(value / 2.0f * 32767.0f));
  Sample s;
  s.json["extensionsUsed"] = s.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  const std::size_t positions = s.accessor(quantized, "VEC3", 5122, 3);
  const std::size_t index_view = s.view(std::vector<std::uint16_t>{0, 3});
  const std::size_t value_view = s.view(std::vector<std::int16_t>{0, 100, 0, 50, 0, 50});
  Json& accessor = s.json["accessors"][positions];
  accessor["normalized"] = true;
  accessor["sparse"] = {{"count", 2},
                        {"indices", {{"bufferView", index_view}, {"componentType", 5123}}},
                        {"values", {{"bufferView", value_view}}}};
  const std::vector<std::uint16_t> corners(b.corners.begin(), b.corners.end());
  const std::size_t indices = s.accessor(corners, "SCALAR", 5123, 1);
  s.mesh({{"attributes", {{"POSITION", positions}}}, {"indices", indices}});
  s.json["meshes"][0]["primitives"].push_back(
      {{"attributes", {{"POSITION", positions}}}, {"indices", indices}, {"mode", 5}});
  add_nodes(s);
  s.json["nodes"][0]["scale"] = {2, 2, 2};
  s.node({{"mesh", 0}, {"matrix", {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}}});
  s.json["scenes"][0]["nodes"].push_back(3);
  return s.glb();
}

std::string base64(const Bytes& bytes) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
    const unsigned bits = unsigned{bytes[i]} << 16 | unsigned{bytes[i + 1]} << 8 | bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) out += digits[bits >> shift & 63];
  }
  return out;
}

/// A skinned square as text, with an embedded buffer, a scene object and unknown members.
Bytes text_seed() {
  Sample s = test::skinned_square();
  s.bin.resize((s.bin.size() + 2) / 3 * 3);
  Json json = s.finished();
  json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(s.bin);
  json["images"].push_back({{"uri", "skin%20color.png"}});
  json["animations"].push_back({{"channels", Json::array()}, {"samplers", Json::array()}});
  json["extras"] = {{"studio", {1, 2.5, "three"}}};
  return test::bytes_of(json.dump(1));
}

}  // namespace

std::map<std::string, Bytes> gltf_seeds() {
  return {{"draco.glb", draco_seed()},
          {"meshopt.glb", meshopt_seed("NONE")},
          {"meshopt_exponential.glb", meshopt_seed("EXPONENTIAL")},
          {"sparse.glb", sparse_seed()},
          {"square.glb", test::skinned_square().glb()},
          {"square.gltf", text_seed()}};
}

}  // namespace gvbind::fuzz
