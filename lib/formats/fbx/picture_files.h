#pragma once

// Tested by tests/command/sidecar_test.py.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/fbx/tree.h"
#include "io/read_options.h"

namespace gvbind {

/// Names under which a Texture or a Video of an FBX may be found beside the document.
std::vector<std::string> picture_names(const FbxNode& holder);

/// Where a picture may lie that a document names, in any system's form of a path: from the
/// document's directory by the whole path where it is relative, and by its last name there, in
/// `textures/` and in `STEM.fbm/`.
std::vector<std::filesystem::path> picture_places(const std::filesystem::path& document,
                                                  const std::string& named);

/// The bytes of such a picture. Only files under the root count. None: it is nowhere there.
std::optional<std::vector<std::uint8_t>> find_picture(const std::filesystem::path& document,
                                                      const AssetRoot& root,
                                                      const std::string& named);

}  // namespace gvbind
