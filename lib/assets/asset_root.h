#pragma once

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

}  // namespace gvbind
