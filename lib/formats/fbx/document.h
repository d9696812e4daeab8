#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/fbx/fbx.h"
#include "formats/fbx/tree.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind {

/// The end of a binary file after its last node: an id, zeros, the version, 120 zeros, a magic.
struct FbxFooter {
  enum class Padding {
    sdk,      ///< aligned to 16 (16 more if aligned already), then 4 zeros
    blender,  ///< 4 zeros, then aligned as above
    as_read,
  };
  std::string bytes;
  Padding padding = Padding::as_read;
};

struct FbxDocument {
  /// How a file older than 7.0 was upgraded.
  struct Upgrade {
    std::uint32_t version = 0;      ///< of the file
    std::size_t keys_left_out = 0;  ///< of clips, with an unknown interpolation
  };
  std::filesystem::path path;
  std::uint64_t max_memory = ReadOptions{}.max_memory;
  std::uint32_t version = 7400;
  FbxEncoding encoding = FbxEncoding::binary;
  std::vector<std::uint8_t> bytes;  ///< as read
  FbxNode root;                     ///< nameless; its children are the document's top nodes
  FbxFooter footer;
  bool reproduced = true;          ///< writing the tree as read gave `bytes` again
  bool changed = false;            ///< the tree differs from the file
  std::vector<TextSpan> removed;   ///< ASCII: the text of removed nodes
  std::optional<Upgrade> upgrade;  ///< if set, `bytes` hold the upgraded document, not the file
};

/// Counts the memory of properties. One that is no array takes about ten times its bytes in the
/// file.
struct PropertyBudget {
  MemoryBudget budget;
  std::size_t uncounted = 0;

  void add() {
    constexpr std::size_t block = 4096;
    if (++uncounted < block) return;
    budget.add_tree(block * sizeof(FbxProperty));
    uncounted = 0;
  }
};

/// Throws Error(input) without the path for versions that are too old or unknown.
void require_known_version(std::uint32_t version);

/// Runs `work` and puts the document's path before the messages of its errors.
template <typename Work>
auto with_path(const std::filesystem::path& path, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), path_text(path) + ": " + error.what());
  }
}

bool is_binary_fbx(const std::vector<std::uint8_t>& bytes);

/// Fills version, root and footer from document.bytes. Throws Error(input) without the path.
void parse_binary_fbx(FbxDocument& document);

/// The tree in binary. Throws Error(output) if it exceeds the offsets of its version.
std::vector<std::uint8_t> write_binary_fbx(const FbxDocument& document);

/// Whether write_binary_fbx would reproduce document.bytes.
bool writes_same_binary_fbx(const FbxDocument& document);

/// The footer that other writers use, for new documents.
FbxFooter make_fbx_footer(std::uint32_t version);

/// Whether the text begins like ASCII FBX of known writers.
bool is_ascii_fbx(const std::vector<std::uint8_t>& bytes);

/// Fills version and root from document.bytes; every node and property records its place in the
/// text. Throws Error(input) without the path.
void parse_ascii_fbx(FbxDocument& document);

/// The source text with nodes added, changed and removed; all other text stays, including comments
/// and line ends.
std::vector<std::uint8_t> write_ascii_fbx(const FbxDocument& document);

/// The text of a node without source, indented by `depth` tabs, without a line end.
std::string print_ascii_node(const FbxNode& node, int depth, const std::string& line_end);
std::string print_ascii_property(const FbxProperty& property, int depth,
                                 const std::string& line_end);

/// Converts "name\0\1Class" of binary files to "Class::name"; removes NULs from other text. With
/// quotes and escapes.
std::string quote_ascii(const std::string& text);

}  // namespace gvbind
