#pragma once

// Tested by tests/command/limits_test.py.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gvbind {

/// The directories under which the files of an asset must lie, without symbolic links. A file is
/// looked at where it really is: a link in such a directory that leads out of it leads outside.
struct AssetRoot {
  std::vector<std::filesystem::path> directories;
};

/// The directory in which `document` is named (of a link: the directory of the link, not of its
/// target), and `wider` unless that is empty.
AssetRoot asset_root_of(const std::filesystem::path& document,
                        const std::filesystem::path& wider = {});

/// Adds a directory; one that is not there adds nothing.
void widen(AssetRoot& root, const std::filesystem::path& directory);

/// Whether the file really lies under one of the directories. It need not be there.
bool lies_under(const AssetRoot& root, const std::filesystem::path& file);

/// What follows the name of a file that does not: where it should lie, and what helps.
std::string outside_text(const AssetRoot& root);

/// All bytes of a regular file under the root. Opens neither devices nor pipes, and what is checked
/// is what is read, also where links change meanwhile. Throws Error(input) without the path.
std::vector<std::uint8_t> read_file_under(const AssetRoot& root, const std::filesystem::path& path);

/// What reading a document may touch and take.
struct ReadOptions {
  AssetRoot root;  ///< of the files that it names; no directory: asset_root_of(document)
  /// Bytes that the process may take. What a file unpacks to, and its meshes as often as they are
  /// shown, is counted before it is read.
  std::uint64_t max_memory = std::uint64_t{4} << 30;
  /// The directory in which the document will stand: what it names and is not beside it now is
  /// looked for from there. Empty: it stays where it is.
  std::filesystem::path future_directory = {};
};

/// The options with a root, whether they came with one or not.
inline ReadOptions with_root(ReadOptions options, const std::filesystem::path& document) {
  if (options.root.directories.empty()) options.root = asset_root_of(document);
  return options;
}

/// Adds up what a file will take before it is unpacked. Counts are the file's own claims; each
/// function throws Error(resource) where their sum needs more than the limit.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

  /// Bytes that come out of compressed data.
  void add_unpacked(std::uint64_t bytes);

  /// A mesh, as often as it is shown.
  void add_mesh(std::uint64_t vertices, std::uint64_t triangles);

 private:
  void refuse_beyond(std::uint64_t bytes, const std::string& what) const;

  std::uint64_t limit_, unpacked_ = 0, vertices_ = 0, triangles_ = 0;
};

}  // namespace gvbind
