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
#include "gvbind/base/path_text.h"
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

  std::filesystem::path path;  ///< of the file it was read from; empty for a built document
  ReadOptions options;         ///< with a root, if it was read from a file
  gltf::Json json;
  std::vector<Buffer> buffers;  ///< one for each of json["buffers"]
  std::vector<Chunk> chunks;    ///< chunks of a .glb of unknown types, in order
  bool binary = true;           ///< came from a .glb
  bool changed = true;          ///< the document differs from the file it was read from
  int indent = -1;              ///< of the JSON text; -1: all on one line
  char indent_character = ' ';
  std::map<std::size_t, std::vector<std::uint8_t>> decoded_views;  ///< meshopt data, by view
  std::vector<std::size_t> added_joints;  ///< nodes from add_joints or build_gltf, in order
};

namespace gltf {

constexpr std::uint32_t chunk_json = 0x4e4f534a, chunk_bin = 0x004e4942;

/// Checks the assumptions of all later functions: the root's lists are lists of objects, all
/// indices that gvbind follows are in range, nodes form a forest, and no unknown extension is
/// required.
void check_structure(const Json& root);

/// The files that the JSON of a document in `folder` names.
GltfFiles files_of(const Json& root, bool binary, const std::filesystem::path& folder);

/// Throws for JSON nested so deeply that recursive functions would overflow the stack.
void check_depth(std::span<const std::uint8_t> json_text);

/// Calls `visit` for every "uri" of the document, including those inside extensions.
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

/// The path of a file that a URI of the document names, existing or not; nothing if it names none.
std::optional<std::filesystem::path> sidecar_location(const GltfDocument& document,
                                                      std::string_view uri);

/// The bytes of a file that a URI of the document names. Throws Error(input) with the URI if the
/// file is outside the document's root, missing, or not a regular file.
std::vector<std::uint8_t> read_sidecar(const GltfDocument& document, const std::string& uri);

/// The bytes of a buffer view, decompressed.
std::span<const std::uint8_t> view_bytes(const GltfDocument& document, std::size_t view);

/// Runs `work` and puts the document's path before the messages of its errors.
template <typename Work>
auto with_path(const std::filesystem::path& path, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), (path.empty() ? "glTF" : path_text(path)) + ": " + error.what());
  } catch (const Json::exception&) {
    // The value has another type than the specification requires, and no check has caught it.
    throw Error(ErrorKind::input, path_text(path) + ": JSON values of an unexpected type");
  }
}

}  // namespace gltf
}  // namespace gvbind
