#include "assets/import/io_system.h"

#include <assimp/MemoryIOWrapper.h>
#include <string_view>
#include <utility>

#include "assets/file_io.h"
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

ImportIoSystem::ImportIoSystem(fs::path document, AssetRoot root)
    : document_(std::move(document)), root_(std::move(root)) {}

ImportIoSystem::~ImportIoSystem() = default;

bool ImportIoSystem::is_document(const fs::path& name) const {
  return name.lexically_normal() == document_.lexically_normal();
}

/// Notes the name.
bool ImportIoSystem::may_open(const fs::path& name) const {
  if (is_document(name)) return true;
  const fs::path directory = document_.has_parent_path() ? document_.parent_path() : ".";
  const fs::path from = name.is_absolute() ? fs::absolute(directory) : directory;
  const std::string relative =
      name.lexically_normal().lexically_relative(from.lexically_normal()).string();
  if (lies_under(root_, name)) {
    names_.insert(relative);
    return true;
  }
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  // Some importers look for directories before they look for files.
  if (outside_.empty() && fs::exists(status) && !fs::is_directory(status)) outside_ = relative;
  return false;
}

bool ImportIoSystem::Exists(const char* name) const {
  std::error_code error;
  return may_open(name) && fs::is_regular_file(name, error);
}

Assimp::IOStream* ImportIoSystem::Open(const char* name, const char* mode) {
  if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos || !may_open(name))
    return nullptr;
  try {
    return new HeldFile(is_document(name) ? read_file(name) : read_file_under(root_, name));
  } catch (const Error&) {
    return nullptr;  // as for a file that is not there
  }
}

void ImportIoSystem::Close(Assimp::IOStream* stream) { delete stream; }

std::vector<std::string> ImportIoSystem::names() const { return {names_.begin(), names_.end()}; }

}  // namespace gvbind
