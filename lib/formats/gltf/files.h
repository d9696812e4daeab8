#pragma once

// Tested by tests/unit/formats/gltf/encode_test.cpp.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gvbind {

/// The files that a glTF document names, without their content.
struct GltfFiles {
  struct Uri {
    std::string file;  ///< its normalized path: relative to the document's directory, or absolute
    bool buffer = false;  ///< false: a picture, or a file that an extension names
  };
  std::vector<Uri> uris;    ///< each file once, by path
  bool binary = false;      ///< a .glb
  bool has_chunk = false;   ///< its first buffer, or any added data, is in a BIN chunk
  bool embeds_all = false;  ///< all buffers are data URIs
};

/// Reads only the JSON. Empty for a file that is not glTF or cannot be read.
std::optional<GltfFiles> read_gltf_files(const std::filesystem::path& document);

/// A file that is written beside the main output file.
struct OutputFile {
  /// `made`: a buffer that gvbind writes; `buffer` or `picture`: a file of the document; `missing`:
  /// named by the document, but it does not exist.
  enum class Kind { made, buffer, picture, missing };
  Kind kind = Kind::made;
  std::string key;   ///< the path as the document has it; of a made file: its name
  std::string name;  ///< from the output's directory, where nothing else needs that name
  std::filesystem::path source;  ///< the file to copy; empty: made
};

/// Other names for output files, relative to the output's directory, by OutputFile::key.
using FileNames = std::map<std::string, std::string>;

/// The name below the output's directory for a file that the document names: its own path without
/// any "..", and never in the directory where gvbind keeps its own files.
std::string output_name_of(const std::string& file);

/// The files of an output beside its main file, in order of their keys. `files` is empty for a
/// scene of another format. If the output goes into the document's own directory, none of the
/// document's files are copied.
std::vector<OutputFile> output_files(const std::optional<GltfFiles>& files,
                                     const std::filesystem::path& document,
                                     const std::filesystem::path& output);

}  // namespace gvbind
