#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/fbx/fbx.h"
#include "formats/fbx/tree.h"
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

bool is_binary_fbx(const std::vector<std::uint8_t>& bytes);

/// Fills version, root and footer from document.bytes. Throws Error(input) without the path.
void parse_binary_fbx(FbxDocument& document);

/// The tree in binary. Throws Error(output) where it outgrows the offsets of its version.
std::vector<std::uint8_t> write_binary_fbx(const FbxDocument& document);

/// Whether write_binary_fbx would give document.bytes again.
bool writes_same_binary_fbx(const FbxDocument& document);

/// The footer that other writers put, for documents of our own.
FbxFooter make_fbx_footer(std::uint32_t version);

/// Whether the text begins as the writers of ASCII FBX begin it.
bool is_ascii_fbx(const std::vector<std::uint8_t>& bytes);

/// Fills version and root from document.bytes; every node and property knows its place in the text.
/// Throws Error(input) without the path.
void parse_ascii_fbx(FbxDocument& document);

/// The source text with new nodes, changed values and removed nodes worked in; all other text,
/// comments and line ends too, stays as it is.
std::vector<std::uint8_t> write_ascii_fbx(const FbxDocument& document);

/// The text of a node that has no source, indented by `depth` tabs, without a line end after it.
std::string print_ascii_node(const FbxNode& node, int depth, const std::string& line_end);
std::string print_ascii_property(const FbxProperty& property, int depth,
                                 const std::string& line_end);

/// "name\0\1Class" of binary files as "Class::name"; other text unchanged but for NULs,
/// which go. With quotes and escapes.
std::string quote_ascii(const std::string& text);

}  // namespace gvbind
