#include "assets/asset_root.h"

#include <algorithm>

#include "assets/read_file.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

namespace fs = std::filesystem;

/// Both without links.
bool holds(const fs::path& folder, const fs::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

bool any_holds(const AssetRoot& root, const fs::path& real) {
  return std::ranges::any_of(root.folders,
                             [&](const fs::path& folder) { return holds(folder, real); });
}

}  // namespace

AssetRoot asset_root_of(const fs::path& document, const fs::path& wider) {
  AssetRoot root;
  widen(root, document.has_parent_path() ? document.parent_path() : ".");
  if (!wider.empty()) widen(root, wider);
  return root;
}

void widen(AssetRoot& root, const fs::path& folder) {
  std::error_code error;
  fs::path real = fs::canonical(folder, error);
  if (!error) root.folders.push_back(std::move(real));
}

bool lies_under(const AssetRoot& root, const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(file, error), error);
  return !error && any_holds(root, real);
}

std::string outside_text(const AssetRoot& root) {
  std::string folders;
  for (const fs::path& folder : root.folders)
    folders += (folders.empty() ? "" : " and ") + folder.string();
  return "lies outside " + folders +
         ", the only place that this asset may read; --asset-root DIR adds a folder";
}

std::vector<std::uint8_t> read_file_under(const AssetRoot& root, const fs::path& path) {
  return read_file(path, [&](const fs::path& real) {
    if (!any_holds(root, real)) throw Error(ErrorKind::input, outside_text(root));
  });
}

}  // namespace gvbind
