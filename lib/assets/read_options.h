#pragma once

#include <cstdint>
#include <filesystem>

#include "assets/asset_root.h"

namespace gvbind {

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

}  // namespace gvbind
