#include "formats/gltf/files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "formats/gltf/document.h"
#include "formats/gltf/uri.h"
#include "gvbind/base/path_text.h"
#include "io/file_io.h"
#include "io/format.h"

namespace gvbind {
namespace gltf {

GltfFiles files_of(const Json& root, bool binary, const std::filesystem::path& folder) {
  std::map<std::string, bool> named;
  const auto add = [&](const Json& uri, bool buffer) {
    if (const auto file = named_file(folder, uri.get_ref<const std::string&>())) {
      bool& is_buffer = named[file->lexically_normal().generic_string()];
      is_buffer = is_buffer || buffer;
    }
  };
  for_each_uri(root, [&](const Json& uri) { add(uri, false); });
  GltfFiles files;
  files.binary = binary;
  const Json& buffers = list(root, "buffers");
  files.has_chunk = binary && (buffers.empty() || !find(buffers[0], "uri"));
  bool any_embedded = false, any_other = files.has_chunk && !buffers.empty();
  for (const Json& buffer : buffers) {
    const Json* uri = buffer.is_object() ? find(buffer, "uri") : nullptr;
    if (!uri || !uri->is_string()) continue;
    if (is_data_uri(uri->get_ref<const std::string&>())) {
      any_embedded = true;
      continue;
    }
    any_other = true;
    add(*uri, true);
  }
  files.embeds_all = any_embedded && !any_other;
  for (const auto& [file, buffer] : named) files.uris.push_back({file, buffer});
  return files;
}

namespace {

constexpr std::string_view own_directory = ".gvbind";

std::uint32_t u32_at(const char* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// The JSON text of a .gltf or .glb; empty if the file is neither.
std::string json_text(std::ifstream& stream, bool& binary) {
  std::array<char, 20> head{};
  stream.read(head.data(), head.size());
  const auto got = static_cast<std::size_t>(stream.gcount());
  const std::string_view start(head.data(), got);
  binary = start.starts_with("glTF");
  if (binary) {
    if (got < head.size() || u32_at(head.data() + 16) != chunk_json) return "";
    stream.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(stream.tellg());
    if (u32_at(head.data() + 12) > size - head.size()) return "";
    std::string text(u32_at(head.data() + 12), '\0');
    stream.seekg(static_cast<std::streamoff>(head.size()));
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    return stream ? text : "";
  }
  const std::size_t first = start.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == start.npos || start[first] != '{') return "";
  stream.clear();
  stream.seekg(0);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool leaves_directory(const std::filesystem::path& file) {
  return file.is_absolute() || (!file.empty() && *file.begin() == "..");
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  std::error_code failure;
  const auto directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const auto known = std::filesystem::weakly_canonical(directory, failure);
  return failure ? directory : known;
}

/// Whether a path that leads out of the document's directory names the same file from `to`.
bool reference_holds(const std::filesystem::path& file, const std::filesystem::path& from,
                     const std::filesystem::path& to) {
  std::error_code failure;
  return leaves_directory(file) && std::filesystem::equivalent(from / file, to / file, failure);
}

/// A name for a buffer file that the document does not use yet.
std::string free_name(const GltfFiles& files, const std::string& stem) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(files.uris, name, &GltfFiles::Uri::file) != files.uris.end();
  };
  std::string name = fitting_name(stem, ".bin");
  for (int n = 2; is_taken(name); ++n) name = fitting_name(stem, std::to_string(n) + ".bin");
  return name;
}

void add_made(std::vector<OutputFile>& out, const GltfFiles& files,
              const std::filesystem::path& output) {
  const bool to_glb = format_of_name(output) != Format::gltf, merges = to_glb && !files.binary;
  if (files.embeds_all || merges || (to_glb && files.has_chunk)) return;
  const std::string stem = path_text(output.stem());
  const std::string name = free_name(files, files.has_chunk ? stem : stem + ".gvbind");
  out.push_back({OutputFile::Kind::made, name, name, {}});
}

}  // namespace
}  // namespace gltf

std::optional<GltfFiles> read_gltf_files(const std::filesystem::path& document) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(document, failure)) return std::nullopt;
  try {
    std::ifstream stream(document, std::ios::binary);
    bool binary = false;
    const std::string text = gltf::json_text(stream, binary);
    if (text.empty()) return std::nullopt;
    // Most .glb name no file, so skip the parser; read_gltf reports JSON that is nested too deeply.
    if (binary && text.find("\"uri\"") == text.npos && text.find('\\') == text.npos) {
      GltfFiles files;
      files.binary = files.has_chunk = true;
      return files;
    }
    gltf::check_depth({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    const gltf::Json root = gltf::Json::parse(text);
    if (!root.is_object()) return std::nullopt;
    return gltf::files_of(root, binary, document.parent_path());
  } catch (const gltf::Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  } catch (const std::ios_base::failure&) {
    return std::nullopt;
  }
}

std::string output_name_of(const std::string& file) {
  const std::filesystem::path path(file);
  std::filesystem::path name;
  if (path.is_absolute()) {
    name = path.filename();
  } else {
    for (const auto& part : path)
      if (part != "..") name /= part;
  }
  for (const auto& part : name)
    if (path_text(part).starts_with(gltf::own_directory)) {
      std::string last = path_text(name.filename());
      if (last.starts_with(gltf::own_directory)) last.erase(0, 1);
      return last;
    }
  return name.generic_string();
}

std::vector<OutputFile> output_files(const std::optional<GltfFiles>& files,
                                     const std::filesystem::path& document,
                                     const std::filesystem::path& output) {
  using Kind = OutputFile::Kind;
  static const GltfFiles built = {
      .uris = {}, .binary = true, .has_chunk = true, .embeds_all = false};
  std::vector<OutputFile> out;
  gltf::add_made(out, files.value_or(built), output);
  const auto from = gltf::directory_of(document), to = gltf::directory_of(output);
  if (!files || from == to) return out;
  const bool merges = format_of_name(output) != Format::gltf && !files->binary;
  for (const GltfFiles::Uri& uri : files->uris) {
    if (uri.buffer ? merges : gltf::reference_holds(uri.file, from, to)) continue;
    std::error_code failure;
    const bool there = std::filesystem::is_regular_file(from / uri.file, failure);
    if (!there && gltf::leaves_directory(uri.file)) continue;  // cannot be copied or renamed
    const Kind kind = !there ? Kind::missing : uri.buffer ? Kind::buffer : Kind::picture;
    out.push_back({kind, uri.file, output_name_of(uri.file), from / uri.file});
  }
  return out;
}

}  // namespace gvbind
