#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "formats/gltf/document.h"
#include "formats/gltf/files.h"
#include "formats/gltf/uri.h"
#include "gvbind/base/path_text.h"
#include "io/encoded_file.h"
#include "io/file_io.h"
#include "io/format.h"

namespace gvbind {
namespace gltf {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Storage = GltfDocument::Buffer::Storage;

constexpr std::size_t chunk_alignment = 4;

std::size_t aligned(std::size_t size) {
  return (size + chunk_alignment - 1) / chunk_alignment * chunk_alignment;
}

std::string text_of(const Json& json, int indent, char character) {
  return json.dump(indent, character, false, Json::error_handler_t::replace);
}

GltfFiles named_by(const GltfDocument& document) {
  GltfFiles files = files_of(document.json, document.binary, document.path.parent_path());
  const auto& buffers = document.buffers;
  files.has_chunk = !buffers.empty() && buffers[0].storage == Storage::chunk;
  return files;
}

/// The state of one encoding: a copy of the JSON that may be changed, and the files to write.
struct Output {
  const GltfDocument& document;
  std::filesystem::path path;
  Json json;
  bool embeds_all;
  std::vector<OutputFile> planned;  ///< the files beside the main one
  const FileNames& names;
  std::vector<EncodedFile> files;
};

const std::string& name_of(const OutputFile& file, const FileNames& names) {
  const auto other = names.find(file.key);
  return other == names.end() ? file.name : other->second;
}

/// Copies the files that the document names; URIs of renamed files are updated.
void bring_sidecars(Output& out) {
  if (out.document.path.empty()) return;
  std::set<std::string> brought;
  const std::filesystem::path folder = out.document.path.parent_path();
  for_each_uri(out.json, [&](Json& uri) {
    const auto path = named_file(folder, uri.get_ref<const std::string&>());
    if (!path) return;
    const std::string key = path->lexically_normal().generic_string();
    const auto file = std::ranges::find_if(out.planned, [&](const OutputFile& planned) {
      return planned.kind != OutputFile::Kind::made && planned.key == key;
    });
    if (file == out.planned.end()) return;
    const std::string& name = name_of(*file, out.names);
    if (file->kind != OutputFile::Kind::missing && brought.insert(name).second)
      out.files.push_back({name, read_sidecar(out.document, uri.get_ref<const std::string&>())});
    if (name != key) uri = uri_of_file(name);
  });
}

// Writes buffers that have no URI yet; the BIN chunk only if the output has no chunk for it. A
// document with all buffers embedded keeps embedding them.
void name_buffers(Output& out, bool with_chunk) {
  for (std::size_t i = 0; i < out.document.buffers.size(); ++i) {
    const GltfDocument::Buffer& buffer = out.document.buffers[i];
    if (buffer.storage != Storage::added && !(with_chunk && buffer.storage == Storage::chunk))
      continue;
    if (out.embeds_all) {
      out.json["buffers"][i]["uri"] = encode_data_uri(buffer.bytes);
      continue;
    }
    const auto made = std::ranges::find(out.planned, OutputFile::Kind::made, &OutputFile::kind);
    if (made == out.planned.end()) fail("a buffer without a name");
    const std::string name = name_of(*made, out.names);
    out.json["buffers"][i]["uri"] = uri_of_file(name);
    out.files.push_back({name, buffer.bytes});
  }
}

constexpr std::array meshopt_names = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

// A buffer with bytes is no fallback, which readers may skip.
void drop_fallback_flags(Json& buffer) {
  for (const char* compression : meshopt_names) {
    if (!extension(buffer, compression)) continue;
    Json& extensions = buffer["extensions"];
    extensions[compression].erase("fallback");
    if (extensions[compression].empty()) extensions.erase(compression);
    if (extensions.empty()) buffer.erase("extensions");
  }
}

// Updates the buffer and offset of all views, including compressed ones, after buffers were merged.
void rebase_views(Json& root, const std::vector<std::size_t>& buffer,
                  const std::vector<std::size_t>& offset) {
  if (!find(root, "bufferViews")) return;
  for (Json& view : root["bufferViews"]) {
    const auto rebase = [&](Json& reference) {
      const std::size_t old = reference["buffer"].get<std::size_t>();
      reference["buffer"] = buffer[old];
      if (offset[old] == 0) return;
      const Json* start = find(reference, "byteOffset");
      reference["byteOffset"] = offset[old] + (start ? start->get<std::size_t>() : 0);
    };
    rebase(view);
    for (const char* compression : meshopt_names)
      if (extension(view, compression)) rebase(view["extensions"][compression]);
  }
}

// Merges all buffers into the BIN chunk; fallbacks without bytes stay separate buffers.
Bytes merge_buffers(Output& out) {
  const auto& buffers = out.document.buffers;
  Bytes bin;
  Json merged = Json::array({{{"byteLength", 0}}});
  bool any = false;
  std::vector<std::size_t> index(buffers.size(), 0), offset(buffers.size(), 0);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].storage == Storage::absent) {
      index[i] = merged.size();
      merged.push_back(out.json["buffers"][i]);
      continue;
    }
    bin.resize(aligned(bin.size()));
    offset[i] = bin.size();
    bin.insert(bin.end(), buffers[i].bytes.begin(), buffers[i].bytes.end());
    if (std::exchange(any, true)) continue;
    merged[0] = out.json["buffers"][i];
    merged[0].erase("uri");
    drop_fallback_flags(merged[0]);
  }
  merged[0]["byteLength"] = bin.size();
  rebase_views(out.json, index, offset);
  out.json["buffers"] = std::move(merged);
  return bin;
}

void append_chunk(Bytes& out, std::uint32_t type, std::span<const std::uint8_t> body,
                  std::uint8_t padding) {
  const auto append_u32 = [&](std::uint32_t value) {
    out.resize(out.size() + sizeof value);
    std::memcpy(out.data() + out.size() - sizeof value, &value, sizeof value);
  };
  append_u32(static_cast<std::uint32_t>(aligned(body.size())));
  append_u32(type);
  out.insert(out.end(), body.begin(), body.end());
  out.resize(aligned(out.size()), padding);
}

Bytes container(const Output& out, const Bytes* bin) {
  const std::string text = text_of(out.json, -1, ' ');
  std::size_t total = 12 + 8 + aligned(text.size());
  if (bin) total += 8 + aligned(bin->size());
  for (const auto& chunk : out.document.chunks) total += 8 + aligned(chunk.bytes.size());
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::output, "more than a .glb can hold (4 GiB): write a .gltf");
  Bytes bytes(12);
  const std::uint32_t header[3] = {0x46546c67, 2, static_cast<std::uint32_t>(total)};
  std::memcpy(bytes.data(), header, sizeof header);
  bytes.reserve(total);
  append_chunk(bytes, chunk_json, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
               ' ');
  if (bin) append_chunk(bytes, chunk_bin, *bin, 0);
  for (const auto& chunk : out.document.chunks) append_chunk(bytes, chunk.type, chunk.bytes, 0);
  return bytes;
}

Bytes encode_binary(Output& out) {
  const auto& buffers = out.document.buffers;
  if (!out.document.binary) {
    if (buffers.empty()) return container(out, nullptr);
    const Bytes bin = merge_buffers(out);
    bring_sidecars(out);
    return container(out, &bin);
  }
  bring_sidecars(out);
  name_buffers(out, false);
  const bool has_chunk = !buffers.empty() && buffers[0].storage == Storage::chunk;
  return container(out, has_chunk ? &buffers[0].bytes : nullptr);
}

Bytes encode_text(Output& out) {
  bring_sidecars(out);
  name_buffers(out, true);
  std::string text = text_of(out.json, out.document.indent, out.document.indent_character);
  if (out.document.indent >= 0) text += '\n';
  return {text.begin(), text.end()};
}

}  // namespace
}  // namespace gltf

std::vector<EncodedFile> encode_gltf(const GltfDocument& document,
                                     const std::filesystem::path& path, const FileNames& names) {
  return gltf::with_path(path, [&] {
    const Format format = format_of_name(path);
    if (!is_gltf(format)) throw Error(ErrorKind::usage, "is neither .glb nor .gltf");
    const GltfFiles named = gltf::named_by(document);
    gltf::Output out{
        document, path, document.json, named.embeds_all, output_files(named, document.path, path),
        names,    {}};
    EncodedFile main;
    const bool binary = format != Format::gltf;
    main.bytes = binary ? gltf::encode_binary(out) : gltf::encode_text(out);
    // A different order of members or different spacing is a change too.
    const bool same = !document.changed && !document.path.empty() && binary == document.binary;
    if (same && out.json == document.json) main.bytes = read_file(document.path);
    out.files.insert(out.files.begin(), std::move(main));
    return std::move(out.files);
  });
}

std::vector<std::string> sidecars_of(const GltfDocument& document) {
  std::set<std::string> names;
  const std::filesystem::path folder = document.path.parent_path();
  gltf::for_each_uri(document.json, [&](const gltf::Json& uri) {
    const auto file = gltf::named_file(folder, uri.get_ref<const std::string&>());
    if (file && lies_under(document.options.root, folder / *file))
      names.insert(path_text(file->lexically_normal()));
  });
  return {names.begin(), names.end()};
}

void check_sidecars(const GltfDocument& document) {
  gltf::with_path(document.path, [&] {
    const std::filesystem::path folder = document.path.parent_path();
    gltf::for_each_uri(document.json, [&](const gltf::Json& uri) {
      const auto& text = uri.get_ref<const std::string&>();
      const auto file = gltf::named_file(folder, text);
      if (!file) return;
      const std::filesystem::path file_path = folder / *file;
      std::error_code failure;
      if (std::filesystem::exists(file_path, failure) &&
          !lies_under(document.options.root, file_path))
        gltf::fail("uri " + gltf::in_quotes(text) + " " + outside_text(document.options.root));
    });
  });
}

}  // namespace gvbind
