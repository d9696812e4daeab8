#pragma once

// Tested by tests/convert/convert_test.cpp.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assets/read_options.h"

namespace gvbind::whole {

/// "image/png" or "image/jpeg" by the first bytes; empty: neither.
std::string picture_type(std::span<const std::uint8_t> bytes);

/// The bytes of a picture that a document names, in any system's form of a path: looked for from
/// the document's directory by the whole path where it is relative, and by its last name there, in
/// `textures/` and in `STEM.fbm/`. Only files under the root count. None: it is nowhere there.
std::optional<std::vector<std::uint8_t>> find_picture(const std::filesystem::path& document,
                                                      const AssetRoot& root,
                                                      const std::string& named);

}  // namespace gvbind::whole
