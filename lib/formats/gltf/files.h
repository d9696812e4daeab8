#pragma once

// Tested by tests/unit/formats/gltf/encode_test.cpp.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gvbind {

/// Which files a glTF document names, without their content.
struct GltfFiles {
  struct Uri {
    std::string file;     ///< its path, normalized: from the document's directory, or absolute
    bool buffer = false;  ///< and not a picture, or whatever else an extension names
  };
  std::vector<Uri> uris;    ///< each file once, by its path
  bool binary = false;      ///< a .glb
  bool has_chunk = false;   ///< a BIN chunk holds its first buffer, or would hold what is added
  bool embeds_all = false;  ///< all buffers are data URIs
};

/// Reads the JSON alone. None for a file that is no glTF or cannot be read.
std::optional<GltfFiles> read_gltf_files(const std::filesystem::path& document);

/// A file beside the main one of an output.
struct OutputFile {
  /// `made` by us, a buffer; of the document a `buffer` or a `picture`; or `missing`: named, but
  /// not there.
  enum class Kind { made, buffer, picture, missing };
  Kind kind = Kind::made;
  std::string key;   ///< the document's own path of it; of one that we make: its name
  std::string name;  ///< from the output's directory, where nothing else needs that name
  std::filesystem::path source;  ///< where it lies; empty: made
};

/// Other names for files of an output, by OutputFile::key, from the output's directory.
using FileNames = std::map<std::string, std::string>;

/// The name under the output's directory for a file that the document names: its own; without what
/// leads out of the directory; and never in a directory where gvbind keeps what is its own.
std::string output_name_of(const std::string& file);

/// What an output of the document (none: a scene of another format) consists of beside its main
/// file, in order of the keys. Into the document's own directory nothing of its files is brought.
std::vector<OutputFile> output_files(const std::optional<GltfFiles>& files,
                                     const std::filesystem::path& document,
                                     const std::filesystem::path& output);

}  // namespace gvbind
