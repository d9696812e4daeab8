#include "formats/fbx/picture_files.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/base64.h"

namespace gvbind {
namespace {

namespace fs = std::filesystem;

bool is_absolute_anywhere(const std::string& path) {
  return path.starts_with('/') || (path.size() > 1 && path[1] == ':');
}

std::vector<fs::path> places_of_name(const fs::path& document, std::string named) {
  std::ranges::replace(named, '\\', '/');
  const fs::path folder = document.parent_path().empty() ? "." : document.parent_path();
  const fs::path file = fs::path(named).filename();
  std::vector<fs::path> places;
  if (named.empty() || named.find('\0') != std::string::npos || file.empty()) return places;
  if (!is_absolute_anywhere(named)) places.push_back(folder / named);
  places.push_back(folder / file);
  places.push_back(folder / "textures" / file);
  places.push_back(folder / (path_text(document.stem()) + ".fbm") / file);
  return places;
}

}  // namespace

std::vector<std::uint8_t> embedded_picture(const FbxNode& video) {
  const FbxNode* content = find_child(video, "Content");
  if (!content || content->properties.empty()) return {};
  const std::string& data = content->properties[0].data;
  if (content->properties[0].type == 'R') return {data.begin(), data.end()};
  // Text files hold base64, long ones in several texts.
  std::vector<std::uint8_t> out;
  std::string held;
  for (std::size_t i = 0; i < content->properties.size(); ++i) {
    held += text_of(content->properties[i]);
    if (held.size() % 4 != 0 && i + 1 < content->properties.size()) continue;
    const auto bytes = from_base64(held);
    if (!bytes) return {};
    out.insert(out.end(), bytes->begin(), bytes->end());
    held.clear();
  }
  return out;
}

std::vector<std::string> picture_names(const FbxNode& holder) {
  std::vector<std::string> out;
  for (const char* key : {"RelativeFilename", "FileName", "Filename"}) {
    const FbxNode* found = find_child(holder, key);
    if (found && !found->properties.empty()) out.push_back(text_of(found->properties[0]));
  }
  return out;
}

std::vector<fs::path> picture_places(const fs::path& document, const std::string& named) {
  std::vector<fs::path> places = places_of_name(document, named);
  // On a disk copied from Windows, names are UTF-8, whatever the encoding in the file.
  if (find_bad_utf8(named) != std::string::npos)
    for (fs::path& place : places_of_name(document, mend_utf8(named)))
      places.push_back(std::move(place));
  return places;
}

std::optional<std::vector<std::uint8_t>> find_picture(const fs::path& document,
                                                      const AssetRoot& root,
                                                      const std::string& named) {
  for (const fs::path& place : picture_places(document, named)) {
    std::error_code ignored;
    if (!lies_under(root, place) || !fs::is_regular_file(place, ignored)) continue;
    try {
      return read_file_under(root, place);
    } catch (const Error& error) {
      // An unreadable picture counts as missing: the caller reports it.
      if (error.kind() != ErrorKind::input) throw;
    }
  }
  return std::nullopt;
}

}  // namespace gvbind
