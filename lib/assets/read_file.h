#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gvbind {

/// All bytes of a file. Throws Error(input) without the path: a folder, not to be opened, not to be
/// read.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

}  // namespace gvbind
