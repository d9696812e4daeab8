#include "formats/gltf/append.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gvbind::gltf {
namespace {

using Storage = GltfDocument::Buffer::Storage;

constexpr std::size_t alignment = 4;

std::size_t growing_buffer(GltfDocument& document) {
  auto& buffers = document.buffers;
  if (!buffers.empty() && buffers[0].storage == Storage::chunk) return 0;
  if (!buffers.empty() && buffers.back().storage == Storage::added) return buffers.size() - 1;
  Json& json = list_to_grow(document.json, "buffers");
  GltfDocument::Buffer buffer;
  buffer.storage = Storage::added;
  if (document.binary && buffers.empty()) {
    buffer.storage = Storage::chunk;
    // An unused BIN chunk becomes the start of the new buffer.
    const auto unused = std::ranges::find(document.chunks, chunk_bin, &GltfDocument::Chunk::type);
    if (unused != document.chunks.end()) {
      buffer.bytes = std::move(unused->bytes);
      document.chunks.erase(unused);
    }
  }
  buffers.push_back(std::move(buffer));
  json.push_back({{"byteLength", 0}});
  return buffers.size() - 1;
}

template <typename T>
void store(double value, std::uint8_t* to) {
  const T stored = static_cast<T>(value);
  std::memcpy(to, &stored, sizeof stored);
}

void store_component(double value, ComponentType type, std::uint8_t* to) {
  switch (type) {
    case ComponentType::i8:
      return store<std::int8_t>(value, to);
    case ComponentType::u8:
      return store<std::uint8_t>(value, to);
    case ComponentType::i16:
      return store<std::int16_t>(value, to);
    case ComponentType::u16:
      return store<std::uint16_t>(value, to);
    case ComponentType::u32:
      return store<std::uint32_t>(value, to);
    case ComponentType::f32:
      return store<float>(value, to);
  }
}

// Floats of a file may be outside the range of the component type.
double clamped(double value, ComponentType type) {
  if (type == ComponentType::f32) return value;
  const double bits = 8.0 * static_cast<double>(byte_size(type));
  const bool is_signed = type == ComponentType::i8 || type == ComponentType::i16;
  const double low = is_signed ? -std::exp2(bits - 1) : 0;
  const double high = is_signed ? std::exp2(bits - 1) - 1 : std::exp2(bits) - 1;
  return value >= low ? std::min(value, high) : low;
}

void write_bounds(Json& accessor, std::span<const double> values, const AccessorShape& shape) {
  if (shape.count == 0) return;
  for (const bool low : {true, false}) {
    Json bounds = Json::array();
    for (std::size_t c = 0; c < shape.columns; ++c) {
      double bound = values[c];
      for (std::size_t i = c; i < values.size(); i += shape.columns)
        bound = low ? std::min(bound, values[i]) : std::max(bound, values[i]);
      // Bounds must match the stored values, after rounding.
      if (shape.component == ComponentType::f32)
        bounds.push_back(static_cast<double>(static_cast<float>(bound)));
      else
        bounds.push_back(static_cast<std::int64_t>(clamped(bound, shape.component)));
    }
    accessor[low ? "min" : "max"] = std::move(bounds);
  }
}

const char* type_name(std::size_t columns) {
  switch (columns) {
    case 1:
      return "SCALAR";
    case 2:
      return "VEC2";
    case 3:
      return "VEC3";
    case 4:
      return "VEC4";
    default:
      return "MAT4";
  }
}

}  // namespace

Json view_json(std::size_t buffer, std::size_t offset, std::size_t size, ViewTarget target,
               std::size_t stride) {
  Json view = {{"buffer", buffer}, {"byteOffset", offset}, {"byteLength", size}};
  if (stride != 0) view["byteStride"] = stride;
  if (target != ViewTarget::none) view["target"] = static_cast<int>(target);
  return view;
}

Json accessor_json(std::size_t view, std::size_t offset, const AccessorShape& shape,
                   const char* type) {
  Json accessor = {{"bufferView", view}};
  if (offset != 0) accessor["byteOffset"] = offset;
  accessor["componentType"] = static_cast<std::size_t>(shape.component);
  if (shape.normalized) accessor["normalized"] = true;
  accessor["count"] = shape.count;
  accessor["type"] = type;
  return accessor;
}

void reserve_room(GltfDocument& document, std::size_t size) {
  std::vector<std::uint8_t>& data = document.buffers[growing_buffer(document)].bytes;
  data.reserve(data.size() + size + 2 * alignment);
}

AppendedView append_room(GltfDocument& document, std::size_t size, ViewTarget target,
                         std::size_t stride) {
  const std::size_t index = growing_buffer(document);
  std::vector<std::uint8_t>& data = document.buffers[index].bytes;
  const std::size_t offset = (data.size() + alignment - 1) / alignment * alignment;
  data.resize(offset + size);
  Json view = view_json(index, offset, size, target, stride);
  document.json["buffers"][index]["byteLength"] = data.size();
  Json& views = list_to_grow(document.json, "bufferViews");
  views.push_back(std::move(view));
  return {views.size() - 1, {data.data() + offset, size}};
}

std::size_t append_view(GltfDocument& document, std::span<const std::uint8_t> bytes,
                        ViewTarget target, std::size_t stride) {
  const AppendedView room = append_room(document, bytes.size(), target, stride);
  std::ranges::copy(bytes, room.bytes.begin());
  return room.view;
}

std::size_t append_accessor(GltfDocument& document, std::size_t view, std::size_t offset,
                            const AccessorShape& shape, const char* type) {
  Json& accessors = list_to_grow(document.json, "accessors");
  accessors.push_back(accessor_json(view, offset, shape, type));
  return accessors.size() - 1;
}

std::size_t append_values(GltfDocument& document, std::span<const double> values,
                          const AccessorShape& shape, ViewTarget target, bool with_bounds) {
  const std::size_t size = byte_size(shape.component), packed = size * shape.columns;
  // Vertex attributes start at multiples of four.
  const std::size_t stride =
      target == ViewTarget::vertices ? (packed + alignment - 1) / alignment * alignment : packed;
  std::vector<std::uint8_t> bytes(stride * shape.count);
  for (std::size_t i = 0; i < shape.count; ++i)
    for (std::size_t c = 0; c < shape.columns; ++c)
      store_component(clamped(values[i * shape.columns + c], shape.component), shape.component,
                      bytes.data() + i * stride + c * size);
  const std::size_t view = append_view(document, bytes, target, stride == packed ? 0 : stride);
  const std::size_t accessor = append_accessor(document, view, 0, shape, type_name(shape.columns));
  if (with_bounds) write_bounds(document.json["accessors"][accessor], values, shape);
  return accessor;
}

}  // namespace gvbind::gltf
