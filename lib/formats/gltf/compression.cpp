#include "formats/gltf/compression.h"

#include <draco/compression/decode.h>
#include <meshoptimizer.h>

#include <new>
#include <string_view>

#include "io/read_options.h"

namespace gvbind::gltf {
namespace {

constexpr const char* meshopt = "EXT_meshopt_compression";
constexpr const char* draco_name = "KHR_draco_mesh_compression";

struct CompressedView {
  std::span<const std::uint8_t> source;
  std::size_t count = 0, stride = 0;
  std::string mode, filter = "NONE";
};

std::string text_of(const Json& object, const char* key, const std::string& fallback) {
  const Json* value = find(object, key);
  return value && value->is_string() ? value->get<std::string>() : fallback;
}

CompressedView compressed_view(const GltfDocument& document, const Json& json,
                               const JsonElement& element) {
  CompressedView view;
  const auto buffer = index_of(json, "buffer", document.buffers.size(), element);
  if (!buffer) fail(element, "EXT_meshopt_compression without buffer");
  const std::span<const std::uint8_t> bytes = document.buffers[*buffer].bytes;
  const std::size_t offset = count_of(json, "byteOffset", element, 0);
  const std::size_t length = count_of(json, "byteLength", element);
  if (offset > bytes.size() || length > bytes.size() - offset)
    fail(element, "compressed data reach past their buffer");
  view.source = bytes.subspan(offset, length);
  view.count = count_of(json, "count", element);
  view.stride = count_of(json, "byteStride", element);
  view.mode = text_of(json, "mode", "");
  view.filter = text_of(json, "filter", "NONE");
  // Even the best compression needs a bit per four bytes; this bounds the memory that a false count
  // can take.
  constexpr std::size_t best_ratio = 256;
  if (view.stride == 0 || view.stride > 256 ||
      view.count > (length * best_ratio + best_ratio) / view.stride)
    fail(element, "EXT_meshopt_compression with impossible sizes");
  return view;
}

bool apply_filter(const CompressedView& view, std::vector<std::uint8_t>& out) {
  if (view.filter == "NONE") return true;
  if (view.filter == "OCTAHEDRAL" && (view.stride == 4 || view.stride == 8))
    meshopt_decodeFilterOct(out.data(), view.count, view.stride);
  else if (view.filter == "QUATERNION" && view.stride == 8)
    meshopt_decodeFilterQuat(out.data(), view.count, view.stride);
  else if (view.filter == "EXPONENTIAL" && view.stride % 4 == 0)
    meshopt_decodeFilterExp(out.data(), view.count, view.stride);
  else
    return false;
  return true;
}

std::vector<std::uint8_t> decode_view(const CompressedView& view, const JsonElement& element) {
  std::vector<std::uint8_t> out(view.count * view.stride);
  const unsigned char* source = view.source.data();
  const std::size_t size = view.source.size();
  int failed = 1;
  const bool index_size = view.stride == 2 || view.stride == 4;
  if (view.mode == "ATTRIBUTES" && view.stride % 4 == 0)
    failed = meshopt_decodeVertexBuffer(out.data(), view.count, view.stride, source, size);
  else if (view.mode == "TRIANGLES" && index_size && view.count % 3 == 0)
    failed = meshopt_decodeIndexBuffer(out.data(), view.count, view.stride, source, size);
  else if (view.mode == "INDICES" && index_size)
    failed = meshopt_decodeIndexSequence(out.data(), view.count, view.stride, source, size);
  if (failed != 0) fail(element, "damaged EXT_meshopt_compression data");
  if (!apply_filter(view, out))
    fail(element, "EXT_meshopt_compression filter " + in_quotes(view.filter) + " does not fit");
  return out;
}

template <typename T>
void convert(const draco::PointAttribute& attribute, std::size_t points, AccessorValues& out) {
  std::vector<T> row(out.columns);
  for (std::size_t i = 0; i < points; ++i) {
    const draco::AttributeValueIndex at =
        attribute.mapped_index(draco::PointIndex(static_cast<std::uint32_t>(i)));
    if (at.value() >= attribute.size() ||
        !attribute.ConvertValue<T>(at, static_cast<std::int8_t>(out.columns), row.data()))
      fail("damaged KHR_draco_mesh_compression attribute");
    for (std::size_t c = 0; c < out.columns; ++c)
      out.values[i * out.columns + c] = static_cast<double>(row[c]);
  }
}

AccessorValues attribute_values(const draco::PointAttribute& attribute, std::size_t points) {
  AccessorValues out{points, static_cast<std::size_t>(attribute.num_components()), {}};
  out.values.resize(points * out.columns);
  if (draco::IsDataTypeIntegral(attribute.data_type()))
    convert<std::int64_t>(attribute, points, out);
  else
    convert<double>(attribute, points, out);
  return out;
}

}  // namespace

void decode_compressed_views(GltfDocument& document) {
  MemoryBudget budget(document.options.max_memory);
  const Json& views = list(document.json, "bufferViews");
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Json* json = extension(views[i], meshopt);
    if (!json) continue;
    const JsonElement element{"bufferViews", i};
    const CompressedView view = compressed_view(document, *json, element);
    budget.add_unpacked(view.count * view.stride);
    document.decoded_views[i] = decode_view(view, element);
  }
}

static std::unique_ptr<draco::Mesh> decode_mesh(std::span<const std::uint8_t> bytes,
                                                const JsonElement& element) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  draco::Decoder decoder;
  try {
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (decoded.ok()) return std::move(decoded).value();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // With damaged data Draco may throw, for example std::length_error.
  }
  fail(element, "damaged KHR_draco_mesh_compression data");
}

std::optional<DracoPrimitive> decode_draco(const GltfDocument& document, const Json& primitive) {
  const Json* json = extension(primitive, draco_name);
  if (!json) return std::nullopt;
  const std::size_t view = (*json)["bufferView"].get<std::size_t>();
  const JsonElement element{"bufferViews", view};
  const std::unique_ptr<draco::Mesh> decoded = decode_mesh(view_bytes(document, view), element);
  const draco::Mesh& mesh = *decoded;
  DracoPrimitive out;
  out.vertex_count = mesh.num_points();
  out.indices.reserve(std::size_t{3} * mesh.num_faces());
  for (std::uint32_t f = 0; f < mesh.num_faces(); ++f)
    for (const draco::PointIndex& corner : mesh.face(draco::FaceIndex(f))) {
      if (corner.value() >= mesh.num_points())
        fail(element, "damaged KHR_draco_mesh_compression triangles");
      out.indices.push_back(corner.value());
    }
  for (const auto& [name, id] : (*json)["attributes"].items()) {
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id.get<std::uint32_t>());
    if (!attribute)
      fail(element, "KHR_draco_mesh_compression lacks the attribute " + in_quotes(name));
    out.attributes[name] = attribute_values(*attribute, mesh.num_points());
  }
  return out;
}

}  // namespace gvbind::gltf
