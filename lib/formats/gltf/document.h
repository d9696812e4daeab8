#pragma once

// Tested by tests/unit/formats/gltf/container_test.cpp.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gltf/gltf.h"
#include "formats/gltf/json.h"
#include "gvbind/error.h"

namespace gvbind {

struct GltfDocument {
  struct Buffer {
    enum class Storage {
      absent,    ///< the fallback of a compressed view: it has no bytes
      chunk,     ///< the BIN chunk of a .glb
      data_uri,  ///< within the JSON
      file,      ///< beside the document
      added,     ///< ours: its URI is made when the document is encoded
    };
    Storage storage = Storage::absent;
    std::vector<std::uint8_t> bytes;
  };
  struct Chunk {
    std::uint32_t type = 0;
    std::vector<std::uint8_t> bytes;
  };

  std::filesystem::path path;  ///< where it was read; empty for one that we built
  ReadOptions options;         ///< with a root, for one that was read
  gltf::Json json;
  std::vector<Buffer> buffers;  ///< one for each of json["buffers"]
  std::vector<Chunk> chunks;    ///< those of a .glb that we do not know, in order
  bool binary = true;           ///< came from a .glb
  bool changed = true;          ///< the document is no longer what was read
  int indent = -1;              ///< of the JSON text; -1: all on one line
  char indent_character = ' ';
  std::map<std::size_t, std::vector<std::uint8_t>> decoded_views;  ///< by view: meshopt
  std::vector<std::size_t> added_joints;  ///< nodes that add_joints or build_gltf made, in order
};

namespace gltf {

constexpr std::uint32_t chunk_json = 0x4e4f534a, chunk_bin = 0x004e4942;

/// Checks what every later function relies on: the root's lists are lists of objects, each index
/// that we follow is in range, nodes form a forest, no unknown extension is required.
void check_structure(const Json& root);

/// Which files the JSON of a document in `folder` names.
GltfFiles files_of(const Json& root, bool binary, const std::filesystem::path& folder);

/// Throws for JSON nested so deep that what handles it by recursion would fail.
void check_depth(std::span<const std::uint8_t> json_text);

/// Calls `visit` with every "uri" of the document, wherever extensions hold them too.
template <typename AnyJson, typename Visit>
void for_each_uri(AnyJson& json, const Visit& visit) {
  if (!json.is_structured()) return;
  for (auto it = json.begin(); it != json.end(); ++it) {
    if (json.is_object() && it.key() == "extras") continue;
    if (json.is_object() && it.key() == "uri" && it->is_string())
      visit(*it);
    else
      for_each_uri(*it, visit);
  }
}

/// Where the file lies that a URI of the document names, there or not; nothing where it names none.
std::optional<std::filesystem::path> sidecar_location(const GltfDocument& document,
                                                      std::string_view uri);

/// The bytes of a file that a URI of the document names. Throws Error(input) with the URI: outside
/// the document's root, not there, no regular file.
std::vector<std::uint8_t> read_sidecar(const GltfDocument& document, const std::string& uri);

/// The bytes of a buffer view, decompressed.
std::span<const std::uint8_t> view_bytes(const GltfDocument& document, std::size_t view);

/// Runs `work`; the errors of the document get its path in front.
template <typename Work>
auto with_path(const std::filesystem::path& path, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), (path.empty() ? "glTF" : path.string()) + ": " + error.what());
  } catch (const Json::exception&) {
    // A value of another type than the specification asks for, in a place without a check.
    throw Error(ErrorKind::input, path.string() + ": JSON values of an unexpected type");
  }
}

}  // namespace gltf
}  // namespace gvbind
