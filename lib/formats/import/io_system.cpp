#include "formats/import/io_system.h"

#include <assimp/MemoryIOWrapper.h>
#include <string_view>
#include <utility>

#include "formats/gltf/uri.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

namespace fs = std::filesystem;

namespace {

struct HeldFile : Assimp::MemoryIOStream {
  explicit HeldFile(std::vector<std::uint8_t> read)
      : MemoryIOStream(read.data(), read.size()), bytes(std::move(read)) {}
  std::vector<std::uint8_t> bytes;
};

bool is_blank(std::uint8_t c) { return c == ' ' || c == '\t'; }

/// Assimp skips lines of an OBJ that begin with a blank, and takes ".5" of a vertex for a word, so
/// that it has too few numbers. Lines lose their indent, and numbers of vertices get the zero that
/// they lack.
std::vector<std::uint8_t> with_plain_lines(const std::vector<std::uint8_t>& text) {
  const auto lacks_zero = [&](std::size_t i) {
    return i > 0 && text[i] == '.' && is_blank(text[i - 1]) && i + 1 < text.size() &&
           text[i + 1] >= '0' && text[i + 1] <= '9';
  };
  std::vector<std::uint8_t> made;
  made.reserve(text.size());
  bool at_start = true, is_vertex = false, continues = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t c = text[i];
    if (at_start && is_blank(c)) continue;
    if (at_start) is_vertex = c == 'v';
    const bool ends = c == '\n' || c == '\r';
    if (!ends) continues = c == '\\';
    at_start = ends && !continues;
    if (is_vertex && lacks_zero(i)) made.push_back('0');
    made.push_back(c);
  }
  return made;
}

std::vector<std::uint8_t> read_document(const fs::path& path) {
  std::vector<std::uint8_t> bytes = read_file(path);
  return lower_extension(path) == "obj" ? with_plain_lines(bytes) : bytes;
}

}  // namespace

ImportIoSystem::ImportIoSystem(fs::path document, AssetRoot root)
    : document_(std::move(document)), root_(std::move(root)) {}

ImportIoSystem::~ImportIoSystem() = default;

bool ImportIoSystem::is_document(const fs::path& name) const {
  return name.lexically_normal() == document_.lexically_normal();
}

/// Also records the name.
bool ImportIoSystem::may_open(const fs::path& name) const {
  if (is_document(name)) return true;
  const fs::path directory = document_.has_parent_path() ? document_.parent_path() : ".";
  const fs::path from = name.is_absolute() ? fs::absolute(directory) : directory;
  const std::string relative =
      path_text(name.lexically_normal().lexically_relative(from.lexically_normal()));
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

/// Importers put the document's directory before the name in the document.
fs::path ImportIoSystem::place_of(const std::string& name) const {
  const std::string directory =
      document_.has_parent_path() ? path_text(document_.parent_path() / "") : "";
  std::error_code error;
  if (fs::exists(name, error) || !name.starts_with(directory)) return name;
  const std::string named = name.substr(directory.size());
  for (const std::string& text : {named, mend_utf8(named)})
    if (const auto file = gltf::named_file(document_.parent_path(), text))
      if (fs::exists(document_.parent_path() / *file, error))
        return document_.parent_path() / *file;
  return name;
}

bool ImportIoSystem::Exists(const char* name) const {
  std::error_code error;
  const fs::path place = place_of(name);
  return may_open(place) && fs::is_regular_file(place, error);
}

Assimp::IOStream* ImportIoSystem::Open(const char* name, const char* mode) {
  if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos) return nullptr;
  const fs::path place = place_of(name);
  if (!may_open(place)) return nullptr;
  try {
    return new HeldFile(is_document(place) ? read_document(place) : read_file_under(root_, place));
  } catch (const Error&) {
    return nullptr;  // treated like a missing file
  }
}

void ImportIoSystem::Close(Assimp::IOStream* stream) { delete stream; }

std::vector<std::string> ImportIoSystem::names() const { return {names_.begin(), names_.end()}; }

}  // namespace gvbind
