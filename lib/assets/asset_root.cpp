#include "assets/asset_root.h"

#include <algorithm>

#include "assets/file_io.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

namespace fs = std::filesystem;

/// Both without links.
bool holds(const fs::path& directory, const fs::path& file) {
  return std::mismatch(directory.begin(), directory.end(), file.begin(), file.end()).first ==
         directory.end();
}

bool any_holds(const AssetRoot& root, const fs::path& real) {
  return std::ranges::any_of(root.directories,
                             [&](const fs::path& directory) { return holds(directory, real); });
}

}  // namespace

AssetRoot asset_root_of(const fs::path& document, const fs::path& wider) {
  AssetRoot root;
  widen(root, document.has_parent_path() ? document.parent_path() : ".");
  if (!wider.empty()) widen(root, wider);
  return root;
}

void widen(AssetRoot& root, const fs::path& directory) {
  std::error_code error;
  fs::path real = fs::canonical(directory, error);
  if (!error) root.directories.push_back(std::move(real));
}

bool lies_under(const AssetRoot& root, const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(file, error), error);
  return !error && any_holds(root, real);
}

std::string outside_text(const AssetRoot& root) {
  std::string directories;
  for (const fs::path& directory : root.directories)
    directories += (directories.empty() ? "" : " and ") + directory.string();
  return "lies outside " + directories +
         ", the only place that this asset may read; --asset-root DIR adds a folder";
}

std::vector<std::uint8_t> read_file_under(const AssetRoot& root, const fs::path& path) {
  return read_file(path, [&](const fs::path& real) {
    if (!any_holds(root, real)) throw Error(ErrorKind::input, outside_text(root));
  });
}

}  // namespace gvbind
