#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "assets/fbx/fbx.h"
#include "assets/fbx/tree.h"
#include "gvbind/error.h"

namespace gvbind {

/// What follows the last node of a binary file: an id, zeros, the version, 120 zeros, a magic.
struct FbxFooter {
  enum class Padding {
    sdk,      ///< aligned to 16 (16 if aligned already), then 4 zeros
    blender,  ///< 4 zeros, then aligned likewise
    as_read,
  };
  std::string bytes;
  Padding padding = Padding::as_read;
};

struct FbxDocument {
  std::filesystem::path path;
  std::uint64_t max_memory = ReadOptions{}.max_memory;
  std::uint32_t version = 7400;
  FbxEncoding encoding = FbxEncoding::binary;
  std::vector<std::uint8_t> bytes;  ///< as read
  FbxNode root;                     ///< nameless; its children are the document's top nodes
  FbxFooter footer;
  bool reproduced = true;         ///< the tree as read wrote `bytes` again
  bool changed = false;           ///< the tree is no longer what was read
  std::vector<TextSpan> removed;  ///< ASCII: the text of nodes that are gone
};

/// Throws Error(input) for versions that are too old or not known, without the path.
void require_known_version(std::uint32_t version);

/// Calls `work`; an Error that leaves it has the document's path put before its message.
template <typename Work>
auto with_path(const std::filesystem::path& path, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), path.string() + ": " + error.what());
  }
}

}  // namespace gvbind
