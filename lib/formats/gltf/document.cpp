#include "formats/gltf/document.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "formats/gltf/compression.h"
#include "formats/gltf/uri.h"
#include "gvbind/base/mend_utf8.h"
#include "io/file_io.h"

static_assert(std::endian::native == std::endian::little, "glTF data is read in place");

namespace gvbind {
namespace gltf {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Storage = GltfDocument::Buffer::Storage;

std::uint32_t u32_at(const Bytes& bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Older exporters wrote names in the code page of their machine: text that is not UTF-8 is read as
// Latin-1.
Json parse_text(std::span<const std::uint8_t> text) {
  const std::string_view view(reinterpret_cast<const char*>(text.data()), text.size());
  if (find_bad_utf8(view) == std::string_view::npos) return Json::parse(text.begin(), text.end());
  return Json::parse(mend_utf8(std::string(view)));
}

Json parse_json(std::span<const std::uint8_t> text) {
  check_depth(text);
  try {
    Json root = parse_text(text);
    if (!root.is_object()) fail("the JSON is not an object");
    return root;
  } catch (const Json::parse_error& error) {
    fail("not valid JSON at byte " + std::to_string(error.byte));
  } catch (const Json::exception&) {
    fail("JSON with a number out of range");
  }
}

// Only text with a line break right after its first brace is indented.
void note_indent(GltfDocument& document, std::span<const std::uint8_t> text) {
  auto it = std::find(text.begin(), text.end(), '{');
  if (it == text.end()) return;
  for (++it; it != text.end() && (*it == ' ' || *it == '\r'); ++it) continue;
  if (it == text.end() || *it != '\n') return;
  const auto line = ++it;
  if (it != text.end() && *it == '\t') document.indent_character = '\t';
  while (it != text.end() && *it == static_cast<std::uint8_t>(document.indent_character)) ++it;
  constexpr std::ptrdiff_t widest = 8;
  document.indent = static_cast<int>(std::min(it - line, widest));
}

// Moves the BIN chunk's bytes into `bytes`; false if there is none.
bool read_container(GltfDocument& document, Bytes& bytes) {
  if (bytes.size() < 20) fail("truncated: a .glb has at least 20 bytes");
  if (u32_at(bytes, 4) != 2) fail("glb version " + std::to_string(u32_at(bytes, 4)) + ", not 2");
  const std::size_t length = u32_at(bytes, 8);
  if (length > bytes.size())
    fail("truncated: " + std::to_string(bytes.size()) + " of " + std::to_string(length) + " bytes");
  if (length < 20) fail("its header gives a length of " + std::to_string(length) + " bytes");
  std::optional<std::span<const std::uint8_t>> bin;
  bool first = true;
  for (std::size_t at = 12; at + 8 <= length; first = false) {
    const std::size_t size = u32_at(bytes, at);
    const std::uint32_t type = u32_at(bytes, at + 4);
    at += 8;
    if (size > length - at) fail("the chunk at byte " + std::to_string(at - 8) + " is truncated");
    const std::span<const std::uint8_t> body(bytes.data() + at, size);
    if (first && type != chunk_json) fail("the first chunk is not JSON");
    if (first) {
      document.json = parse_json(body);
    } else if (type == chunk_bin && !bin) {
      bin = body;
    } else {
      document.chunks.push_back({type, Bytes(body.begin(), body.end())});
    }
    at += std::min((size + 3) / 4 * 4, length - at);
  }
  if (!bin) return false;
  // In place: a copy would need the file's size in memory again.
  const auto start = bin->data() - bytes.data();
  bytes.resize(static_cast<std::size_t>(start) + bin->size());
  bytes.erase(bytes.begin(), bytes.begin() + start);
  return true;
}

void read_buffer(GltfDocument& document, std::size_t index, Bytes& bin, bool has_bin) {
  const JsonElement element{"buffers", index};
  const Json& json = document.json["buffers"][index];
  GltfDocument::Buffer& buffer = document.buffers[index];
  const Json* uri = find(json, "uri");
  if (!uri) {
    if (index > 0 || !has_bin) {
      if (!find(json, "extensions")) fail(element, "has neither a uri nor a BIN chunk");
      return;
    }
    buffer = {Storage::chunk, std::move(bin)};
  } else if (!uri->is_string()) {
    fail(element, "uri is not text");
  } else if (const std::string& text = uri->get_ref<const std::string&>(); is_data_uri(text)) {
    auto bytes = decode_data_uri(text);
    if (!bytes) fail(element, "damaged data URI");
    buffer = {Storage::data_uri, std::move(*bytes)};
  } else {
    try {
      buffer = {Storage::file, read_sidecar(document, text)};
    } catch (const Error& error) {
      fail(element, error.what());
    }
  }
  const std::size_t declared = count_of(json, "byteLength", element);
  if (buffer.bytes.size() < declared)
    fail(element, "truncated: " + std::to_string(buffer.bytes.size()) + " of " +
                      std::to_string(declared) + " bytes");
}

std::shared_ptr<GltfDocument> parse(Bytes bytes, const std::filesystem::path& path,
                                    const ReadOptions& options) {
  auto document = std::make_shared<GltfDocument>();
  document->path = path;
  document->options = with_root(options, path);
  if (bytes.empty()) fail("is empty");
  bool has_bin = false;
  document->binary = bytes.size() >= 4 && std::memcmp(bytes.data(), "glTF", 4) == 0;
  if (document->binary) {
    has_bin = read_container(*document, bytes);
  } else {
    document->json = parse_json(bytes);
    note_indent(*document, bytes);
  }
  check_structure(document->json);
  document->buffers.resize(list(document->json, "buffers").size());
  for (std::size_t i = 0; i < document->buffers.size(); ++i)
    read_buffer(*document, i, bytes, has_bin && i == 0);
  // A BIN chunk that no buffer refers to is kept like a chunk of unknown type.
  if (has_bin && (document->buffers.empty() || document->buffers[0].storage != Storage::chunk))
    document->chunks.insert(document->chunks.begin(), {chunk_bin, std::move(bytes)});
  decode_compressed_views(*document);
  return document;
}

}  // namespace

// The parser does not recurse, but writing, copying and freeing the parsed JSON do.
void check_depth(std::span<const std::uint8_t> text) {
  constexpr int deepest = 200;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest)
        fail("JSON nested deeper than " + std::to_string(deepest) + " at byte " +
             std::to_string(i));
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

std::optional<std::filesystem::path> sidecar_location(const GltfDocument& document,
                                                      std::string_view uri) {
  const std::filesystem::path folder = document.path.parent_path();
  const auto file = named_file(folder, uri);
  if (!file) return std::nullopt;
  const std::filesystem::path& future = document.options.future_directory;
  if (future.empty()) return folder / *file;
  const std::filesystem::path plain = file->lexically_normal();
  const bool leaves = plain.is_absolute() || *plain.begin() == "..";
  std::error_code ignored;
  if (!leaves && std::filesystem::exists(folder / *file, ignored)) return folder / *file;
  return future / named_file(future, uri).value_or(*file);
}

std::vector<std::uint8_t> read_sidecar(const GltfDocument& document, const std::string& uri) {
  const auto location = sidecar_location(document, uri);
  if (!location) fail("uri " + in_quotes(uri) + " is not a file");
  try {
    return read_file_under(document.options.root, *location);
  } catch (const Error& error) {
    fail("uri " + in_quotes(uri) + " " + error.what());
  }
}

std::span<const std::uint8_t> view_bytes(const GltfDocument& document, std::size_t view) {
  const auto decoded = document.decoded_views.find(view);
  if (decoded != document.decoded_views.end()) return decoded->second;
  const JsonElement element{"bufferViews", view};
  const Json& json = document.json["bufferViews"][view];
  const Bytes& bytes = document.buffers[json["buffer"].get<std::size_t>()].bytes;
  const std::size_t offset = count_of(json, "byteOffset", element, 0);
  const std::size_t length = count_of(json, "byteLength", element);
  if (offset > bytes.size() || length > bytes.size() - offset)
    fail(element, "reaches past its buffer's " + std::to_string(bytes.size()) + " bytes");
  return {bytes.data() + offset, length};
}

}  // namespace gltf

std::shared_ptr<GltfDocument> parse_gltf(std::vector<std::uint8_t> bytes,
                                         const std::filesystem::path& path,
                                         const ReadOptions& options) {
  return gltf::with_path(path, [&] { return gltf::parse(std::move(bytes), path, options); });
}

std::shared_ptr<GltfDocument> read_gltf(const std::filesystem::path& path,
                                        const ReadOptions& options) {
  return gltf::with_path(path, [&] {
    auto document = gltf::parse(read_file(path), path, options);
    document->changed = false;
    return document;
  });
}

}  // namespace gvbind
