#pragma once

// Tested by tests/command/limits_test.py.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gvbind {

/// Directories, without symbolic links, that must contain all files of an asset. Files are checked
/// after resolving links, so a link that leads out of these directories is outside.
struct AssetRoot {
  std::vector<std::filesystem::path> directories;
};

/// The directory of `document` (for a link: the link's own directory, not its target's), and
/// `wider` unless empty.
AssetRoot asset_root_of(const std::filesystem::path& document,
                        const std::filesystem::path& wider = {});

/// Adds a directory if it exists.
void widen(AssetRoot& root, const std::filesystem::path& directory);

/// Whether the file, with links resolved, is in one of the directories. It need not exist.
bool lies_under(const AssetRoot& root, const std::filesystem::path& file);

/// Ends the message about a file outside: the expected location and a remedy.
std::string outside_text(const AssetRoot& root);

/// All bytes of a regular file under the root. Does not open devices or pipes. Checks the same open
/// file that it reads, so concurrent changes of links have no effect. Throws Error(input) without
/// the path.
std::vector<std::uint8_t> read_file_under(const AssetRoot& root, const std::filesystem::path& path);

/// Limits for reading a document.
struct ReadOptions {
  AssetRoot root;  ///< of referenced files; empty: asset_root_of(document)
  /// Memory limit of the process in bytes. The unpacked size of a file, with each instance of its
  /// meshes, is estimated before it is read.
  std::uint64_t max_memory = std::uint64_t{4} << 30;
  /// Directory where the document will be stored; searched for references that are not beside the
  /// document now. Empty: it stays where it is.
  std::filesystem::path future_directory = {};
};

/// The options with a root, asset_root_of(document) if they have none.
inline ReadOptions with_root(ReadOptions options, const std::filesystem::path& document) {
  if (options.root.directories.empty()) options.root = asset_root_of(document);
  return options;
}

/// Estimates the unpacked size of a file from the counts that it claims. Each function throws
/// Error(resource) if the sum exceeds the limit.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

  /// Bytes of decompressed data, of which there are copies.
  void add_unpacked(std::uint64_t bytes);

  /// Bytes of the document as a tree, which is there once.
  void add_tree(std::uint64_t bytes);

  /// One instance of a mesh.
  void add_mesh(std::uint64_t vertices, std::uint64_t triangles);

 private:
  void refuse_beyond(std::uint64_t bytes, const std::string& what) const;

  std::uint64_t limit_, unpacked_ = 0, tree_ = 0, vertices_ = 0, triangles_ = 0;
};

}  // namespace gvbind
