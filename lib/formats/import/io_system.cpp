#include "formats/import/io_system.h"

#include <assimp/MemoryIOWrapper.h>
#include <algorithm>
#include <string_view>
#include <utility>

#include "formats/gltf/uri.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
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
  constexpr std::string_view mark = "\xef\xbb\xbf";  // some programs begin with it
  const std::string_view start(reinterpret_cast<const char*>(text.data()),
                               std::min(text.size(), mark.size()));
  std::vector<std::uint8_t> made;
  made.reserve(text.size());
  bool at_start = true, is_vertex = false, continues = false;
  for (std::size_t i = start == mark ? mark.size() : 0; i < text.size(); ++i) {
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

/// The end of the first name of a list: Assimp takes all names of a line for one.
std::size_t end_of_mtl_name(const std::string& names) {
  constexpr std::string_view ending = ".mtl";
  const std::string lower = lower_case(names);
  std::size_t at = lower.find(ending);
  while (at != lower.npos && at + ending.size() < lower.size() &&
         !is_blank(static_cast<std::uint8_t>(lower[at + ending.size()])))
    at = lower.find(ending, at + 1);
  return at == lower.npos ? names.size() : at + ending.size();
}

}  // namespace

ImportIoSystem::ImportIoSystem(fs::path document, AssetRoot root)
    : document_(std::move(document)), root_(std::move(root)) {}

ImportIoSystem::~ImportIoSystem() = default;

bool ImportIoSystem::is_document(const fs::path& name) const {
  return name.lexically_normal() == document_.lexically_normal();
}

std::string ImportIoSystem::directory() const {
  return document_.has_parent_path() ? path_text(document_.parent_path() / "") : "";
}

std::string ImportIoSystem::relative_name(const fs::path& name) const {
  const fs::path directory = document_.has_parent_path() ? document_.parent_path() : ".";
  const fs::path from = name.is_absolute() ? fs::absolute(directory) : directory;
  return path_text(name.lexically_normal().lexically_relative(from.lexically_normal()));
}

/// Also records the name.
bool ImportIoSystem::may_open(const fs::path& name) const {
  if (is_document(name)) return true;
  const std::string relative = relative_name(name);
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
  std::error_code error;
  if (fs::exists(name, error) || !name.starts_with(directory())) return name;
  const std::string named = name.substr(directory().size());
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
  if (may_open(place)) {
    try {
      return new HeldFile(is_document(place) ? read_document() : read_file_under(root_, place));
    } catch (const Error&) {
      // treated like a missing file
    }
  }
  if (lower_extension(document_) == "obj" && !is_document(place)) note_missing(name);
  return nullptr;
}

void ImportIoSystem::note_missing(const fs::path& name) {
  const std::string shown = mend_utf8(relative_name(name));
  // After a missing file the importer tries one of the document's name.
  const std::string own =
      mend_utf8(path_text(fs::path(document_.filename()).replace_extension("mtl")));
  const bool is_known = std::ranges::find(missing_materials_, shown) != missing_materials_.end() ||
                        (shown == own && !missing_materials_.empty());
  if (!is_known) missing_materials_.push_back(shown);
}

/// The line again, or one for each of its names.
std::string ImportIoSystem::with_plain_mtllib(std::string_view line) const {
  constexpr std::string_view word = "mtllib ";
  std::string names(line.substr(word.size())), out;
  while (!names.empty() && is_blank(static_cast<std::uint8_t>(names.back()))) names.pop_back();
  std::error_code error;
  std::size_t count = 0;
  for (; !names.empty(); ++count) {
    names.erase(0, names.find_first_not_of(" \t"));
    const bool is_one = fs::exists(place_of(directory() + names), error);
    const std::size_t end = is_one ? names.size() : end_of_mtl_name(names);
    out.append(count > 0 ? "\n" : "").append(word).append(names, 0, end);
    names.erase(0, end);
  }
  return count > 1 ? out : std::string(line);
}

std::vector<std::uint8_t> ImportIoSystem::read_document() const {
  const std::vector<std::uint8_t> bytes = read_file(document_);
  if (lower_extension(document_) != "obj") return bytes;
  const std::vector<std::uint8_t> plain = with_plain_lines(bytes);
  const std::string_view text(reinterpret_cast<const char*>(plain.data()), plain.size());
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("mtllib ") && !line.ends_with('\\'))
      made += with_plain_mtllib(line);
    else
      made += line;
    if (end < text.size()) made += text[end];
    at = end + 1;
  }
  return {made.begin(), made.end()};
}

void ImportIoSystem::Close(Assimp::IOStream* stream) { delete stream; }

std::vector<std::string> ImportIoSystem::names() const { return {names_.begin(), names_.end()}; }

}  // namespace gvbind
