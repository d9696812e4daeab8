#include "batch/named_files.h"

#include <algorithm>

#include "assets/gltf/files.h"
#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

}  // namespace

const std::map<std::string, NamedFiles::Documents>& NamedFiles::of(const fs::path& directory) {
  const auto [at, is_new] = directories_.try_emplace(directory);
  if (!is_new) return at->second;
  std::error_code error;
  fs::directory_iterator it(directory.empty() ? "." : directory, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (!is_gltf_name(it->path())) continue;
    const auto files = read_gltf_files(it->path());
    if (!files) continue;
    const std::string document = fold_case(it->path().filename().string());
    for (const GltfFiles::Uri& uri : files->uris) at->second[fold_case(uri.file)].insert(document);
  }
  return at->second;
}

bool NamedFiles::named_by_other(const fs::path& directory, const std::string& name,
                                const std::set<std::string>& except) {
  const auto& files = of(directory);
  const auto documents = files.find(name);
  return documents != files.end() &&
         std::ranges::any_of(documents->second,
                             [&](const std::string& one) { return !except.contains(one); });
}

bool NamedFiles::named_by(const fs::path& directory, const std::string& document,
                          const std::string& name) {
  const auto& files = of(directory);
  const auto documents = files.find(name);
  return documents != files.end() && documents->second.contains(document);
}

}  // namespace gvbind
