#pragma once

// Tested by tests/command/sidecar_test.py.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/fbx/tree.h"
#include "io/read_options.h"

namespace gvbind {

/// The picture that a Video holds; empty if it holds none, or a damaged one.
std::vector<std::uint8_t> embedded_picture(const FbxNode& video);

/// Names under which a Texture or a Video of an FBX may be found beside the document.
std::vector<std::string> picture_names(const FbxNode& holder);

/// The paths at which a picture may be found. `named` may use any system's form of paths. Tries the
/// whole path, if relative, from the document's directory, then the file name there, in `textures/`
/// and in `STEM.fbm/`.
std::vector<std::filesystem::path> picture_places(const std::filesystem::path& document,
                                                  const std::string& named);

/// The bytes of such a picture, from under the root only. Empty if it is in none of these places.
std::optional<std::vector<std::uint8_t>> find_picture(const std::filesystem::path& document,
                                                      const AssetRoot& root,
                                                      const std::string& named);

}  // namespace gvbind
