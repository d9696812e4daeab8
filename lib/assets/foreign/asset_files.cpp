#include "assets/foreign/asset_files.h"

#include <assimp/MemoryIOWrapper.h>
#include <string_view>
#include <utility>

#include "assets/read_file.h"
#include "gvbind/error.h"

namespace gvbind {

namespace fs = std::filesystem;

namespace {

struct HeldFile : Assimp::MemoryIOStream {
  explicit HeldFile(std::vector<std::uint8_t> read)
      : MemoryIOStream(read.data(), read.size()), bytes(std::move(read)) {}
  std::vector<std::uint8_t> bytes;
};

}  // namespace

AssetFiles::AssetFiles(fs::path document, AssetRoot root)
    : document_(std::move(document)), root_(std::move(root)) {}

AssetFiles::~AssetFiles() = default;

bool AssetFiles::is_document(const fs::path& name) const {
  return name.lexically_normal() == document_.lexically_normal();
}

/// Notes the name.
bool AssetFiles::may_open(const fs::path& name) const {
  if (is_document(name)) return true;
  const fs::path folder = document_.has_parent_path() ? document_.parent_path() : ".";
  const fs::path from = name.is_absolute() ? fs::absolute(folder) : folder;
  const std::string relative =
      name.lexically_normal().lexically_relative(from.lexically_normal()).string();
  if (lies_under(root_, name)) {
    names_.insert(relative);
    return true;
  }
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  // Some importers look for folders before they look for files.
  if (outside_.empty() && fs::exists(status) && !fs::is_directory(status)) outside_ = relative;
  return false;
}

bool AssetFiles::Exists(const char* name) const {
  std::error_code error;
  return may_open(name) && fs::is_regular_file(name, error);
}

Assimp::IOStream* AssetFiles::Open(const char* name, const char* mode) {
  if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos || !may_open(name))
    return nullptr;
  try {
    return new HeldFile(is_document(name) ? read_file(name) : read_file_under(root_, name));
  } catch (const Error&) {
    return nullptr;  // as for a file that is not there
  }
}

void AssetFiles::Close(Assimp::IOStream* stream) { delete stream; }

std::vector<std::string> AssetFiles::names() const { return {names_.begin(), names_.end()}; }

}  // namespace gvbind
