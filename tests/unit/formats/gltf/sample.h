#pragma once

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/gltf/gltf.h"
#include "gvbind/error.h"
#include "support/scratch_folder.h"

namespace gvbind::test {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

inline void put_u32(Bytes& out, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    out.push_back(static_cast<std::uint8_t>(value >> shift & 0xff));
}

inline void put_chunk(Bytes& out, std::uint32_t type, Bytes body, std::uint8_t padding) {
  body.resize((body.size() + 3) / 4 * 4, padding);
  put_u32(out, body.size());
  put_u32(out, type);
  out.insert(out.end(), body.begin(), body.end());
}

inline Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

constexpr std::uint32_t json_chunk = 0x4e4f534a, bin_chunk = 0x004e4942;

/// A hand-made glTF document: JSON and one buffer.
struct Sample {
  Json json = {{"asset", {{"version", "2.0"}}}};
  Bytes bin;

  template <typename T>
  std::size_t view(const std::vector<T>& values, std::size_t stride = 0) {
    bin.resize((bin.size() + 3) / 4 * 4);
    Json v = {{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", values.size() * sizeof(T)}};
    if (stride) v["byteStride"] = stride;
    const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
    bin.insert(bin.end(), data, data + values.size() * sizeof(T));
    json["bufferViews"].push_back(v);
    return json["bufferViews"].size() - 1;
  }

  std::size_t accessor(const Json& value) {
    json["accessors"].push_back(value);
    return json["accessors"].size() - 1;
  }

  template <typename T>
  std::size_t accessor(const std::vector<T>& values, const char* type, int component,
                       std::size_t columns) {
    const std::size_t v = view(values);
    Json a = {{"bufferView", v},
              {"componentType", component},
              {"count", values.size() / columns},
              {"type", type}};
    if (columns == 3 && component == 5126) bounds(a, values);
    return accessor(a);
  }

  template <typename T>
  static void bounds(Json& a, const std::vector<T>& values) {
    for (std::size_t c = 0; c < 3; ++c) {
      T low = values[c], high = values[c];
      for (std::size_t i = c; i < values.size(); i += 3) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      a["min"].push_back(low);
      a["max"].push_back(high);
    }
  }

  std::size_t positions(const std::vector<float>& values) {
    return accessor(values, "VEC3", 5126, 3);
  }
  std::size_t mesh(const Json& primitive) {
    json["meshes"].push_back({{"primitives", Json::array({primitive})}});
    return json["meshes"].size() - 1;
  }
  std::size_t node(const Json& value) {
    json["nodes"].push_back(value);
    return json["nodes"].size() - 1;
  }

  Json finished() const {
    Json j = json;
    if (!bin.empty()) j["buffers"] = Json::array({Json{{"byteLength", bin.size()}}});
    return j;
  }
  Bytes glb() const {
    Bytes body;
    put_chunk(body, json_chunk, bytes_of(finished().dump()), ' ');
    if (!bin.empty()) put_chunk(body, bin_chunk, bin, 0);
    Bytes out = bytes_of("glTF");
    put_u32(out, 2);
    put_u32(out, body.size() + 12);
    out.insert(out.end(), body.begin(), body.end());
    return out;
  }
};

/// A square of four vertices in the plane z = 0, from -1 to 1.
inline std::vector<float> square() { return {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}; }
inline std::vector<std::uint16_t> square_indices() { return {0, 1, 2, 0, 2, 3}; }

inline Json square_primitive(Sample& s) {
  const std::size_t p = s.positions(square());
  const std::size_t i = s.accessor(square_indices(), "SCALAR", 5123, 1);
  return {{"attributes", {{"POSITION", p}}}, {"indices", i}};
}

/// A column-major translation matrix.
inline std::vector<float> translation(float x, float y, float z) {
  return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

/// A skinned square: node 0 the mesh, nodes 1 and 2 its joints at (0,0,0) and (0,1,0).
inline Sample skinned_square() {
  Sample s;
  Json primitive = square_primitive(s);
  primitive["attributes"]["JOINTS_0"] = s.accessor(
      std::vector<std::uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, "VEC4", 5121, 4);
  primitive["attributes"]["WEIGHTS_0"] = s.accessor(
      std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0}, "VEC4", 5126, 4);
  std::vector<float> matrices = translation(0, 0, 0);
  const std::vector<float> second = translation(0, -1, 0);
  matrices.insert(matrices.end(), second.begin(), second.end());
  const std::size_t m = s.accessor(matrices, "MAT4", 5126, 16);
  s.mesh(primitive);
  s.node({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
  s.node({{"name", "hip"}, {"children", {2}}});
  s.node({{"name", "chest"}, {"translation", {0, 1, 0}}});
  s.json["skins"].push_back({{"inverseBindMatrices", m}, {"joints", {1, 2}}});
  s.json["scenes"].push_back({{"nodes", {0, 1}}});
  s.json["scene"] = 0;
  return s;
}

inline std::shared_ptr<GltfDocument> parsed(const Sample& s) {
  return parse_gltf(s.glb(), "sample.glb");
}

inline Scene scene_of_sample(const Sample& s, const Selection& selection = {}) {
  Findings findings;
  return scene_of(*parsed(s), selection, findings);
}

/// The two chunks of a .glb.
struct Chunks {
  Json json;
  Bytes bin;
};
inline Chunks chunks_of(const Bytes& glb) {
  const auto u32 = [&](std::size_t at) {
    std::uint32_t v = 0;
    std::memcpy(&v, glb.data() + at, 4);
    return static_cast<std::ptrdiff_t>(v);
  };
  Chunks c;
  const auto start = glb.begin() + 20;
  c.json = Json::parse(start, start + u32(12));
  const std::size_t next = 20 + static_cast<std::size_t>(u32(12));
  if (next + 8 <= glb.size())
    c.bin.assign(glb.begin() + static_cast<std::ptrdiff_t>(next) + 8,
                 glb.begin() + static_cast<std::ptrdiff_t>(next) + 8 + u32(next));
  return c;
}

/// The main file of an encoding.
inline Bytes encoded(const GltfDocument& document, const std::filesystem::path& path = "out.glb") {
  return encode_gltf(document, path).front().bytes;
}

/// One row per vertex, from pairs of joint and weight.
inline SkinWeights weights_from(
    const std::vector<std::vector<std::pair<std::uint32_t, float>>>& rows) {
  SkinWeights w;
  for (const auto& row : rows) {
    for (const auto& [joint, weight] : row) {
      w.joint.push_back(joint);
      w.weight.push_back(weight);
    }
    w.first.push_back(static_cast<std::uint32_t>(w.joint.size()));
  }
  return w;
}

/// Falling weights of up to `width` joints per vertex that sum to one and differ between vertices.
inline SkinWeights mixed_weights(std::size_t vertices, std::size_t joints, std::size_t width) {
  SkinWeights w;
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t count = std::min(joints, 1 + v % width);
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += 1.0f / static_cast<float>(i + 2);
    for (std::size_t i = 0; i < count; ++i) {
      w.joint.push_back(static_cast<std::uint32_t>((v * 5 + i) % joints));
      w.weight.push_back(1.0f / static_cast<float>(i + 2) / sum);
    }
    w.first.push_back(static_cast<std::uint32_t>(w.joint.size()));
  }
  return w;
}

/// The message of the Error(kind) that `work` throws; empty if it throws none of that kind.
template <typename Work>
std::string error_of(ErrorKind kind, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == kind) return error.what();
  }
  return {};
}

}  // namespace gvbind::test
