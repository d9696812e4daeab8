#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace gvbind {

/// All bytes of a regular file. Devices, pipes and sockets are not opened: they may never end.
/// Throws Error(input) without the path: no file, not to be opened, not to be read.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

/// The same where `allowed`, given the place of the file without symbolic links, does not throw.
std::vector<std::uint8_t> read_file(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& real)>& allowed);

}  // namespace gvbind
