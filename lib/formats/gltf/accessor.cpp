#include "formats/gltf/accessor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace gvbind::gltf {
namespace {

template <typename T>
double load(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

using Load = double (*)(const std::uint8_t*);

Load loader(ComponentType type) {
  switch (type) {
    case ComponentType::i8:
      return load<std::int8_t>;
    case ComponentType::u8:
      return load<std::uint8_t>;
    case ComponentType::i16:
      return load<std::int16_t>;
    case ComponentType::u16:
      return load<std::uint16_t>;
    case ComponentType::u32:
      return load<std::uint32_t>;
    case ComponentType::f32:
      break;
  }
  return load<float>;
}

ComponentType component_type(std::size_t code, const JsonElement& element) {
  constexpr std::array<std::size_t, 6> known = {5120, 5121, 5122, 5123, 5125, 5126};
  if (std::ranges::find(known, code) == known.end())
    fail(element, "unknown componentType " + std::to_string(code));
  return static_cast<ComponentType>(code);
}

struct Rows {
  const std::uint8_t* first;
  std::size_t stride;
};

// `offset` is relative to the view's start. Throws unless all rows lie within the view.
Rows rows_of_view(const GltfDocument& document, std::size_t view, std::size_t offset,
                  std::size_t count, std::size_t row_size, const JsonElement& element) {
  const std::span<const std::uint8_t> bytes = view_bytes(document, view);
  const Json& json = document.json["bufferViews"][view];
  std::size_t stride = count_of(json, "byteStride", {"bufferViews", view}, row_size);
  if (stride == 0) stride = row_size;
  if (stride < row_size)
    fail(JsonElement{"bufferViews", view},
         "byteStride is less than an element's " + std::to_string(row_size) + " bytes");
  if (count == 0) return {bytes.data(), stride};
  const bool fits = (offset <= bytes.size() && row_size <= bytes.size() - offset &&
                     (bytes.size() - offset - row_size) / stride >= count - 1);
  if (!fits)
    fail(element, std::to_string(count) + " elements reach past bufferViews[" +
                      std::to_string(view) + "] of " + std::to_string(bytes.size()) + " bytes");
  return {bytes.data() + offset, stride};
}

void read_sparse(const GltfDocument& document, const Json& sparse, const AccessorShape& shape,
                 AccessorValues& out, const JsonElement& element) {
  const std::size_t views = list(document.json, "bufferViews").size();
  const std::size_t count = count_of(sparse, "count", element);
  const Json *indices = find(sparse, "indices"), *values = find(sparse, "values");
  if (!indices || !values) fail(element, "sparse without indices or values");
  const auto index_view = index_of(*indices, "bufferView", views, element);
  const auto value_view = index_of(*values, "bufferView", views, element);
  if (!index_view || !value_view) fail(element, "sparse without bufferView");
  const ComponentType type = component_type(count_of(*indices, "componentType", element), element);
  const Rows at = rows_of_view(document, *index_view, count_of(*indices, "byteOffset", element, 0),
                               count, byte_size(type), element);
  const Rows from = rows_of_view(document, *value_view, count_of(*values, "byteOffset", element, 0),
                                 count, byte_size(shape.component) * shape.columns, element);
  const Load load_index = loader(type), load_value = loader(shape.component);
  for (std::size_t i = 0; i < count; ++i) {
    const double row = load_index(at.first + i * at.stride);
    if (!(row >= 0 && row < static_cast<double>(out.count)))
      fail(element, "sparse index " + std::to_string(i) + " is out of range");
    for (std::size_t c = 0; c < out.columns; ++c)
      out.values[static_cast<std::size_t>(row) * out.columns + c] =
          load_value(from.first + i * from.stride + c * byte_size(shape.component));
  }
}

template <typename T>
void load_rows(const std::uint8_t* from, std::size_t stride, std::size_t rows, std::size_t columns,
               double* out) {
  if (stride == columns * sizeof(T)) {
    for (std::size_t i = 0; i < rows * columns; ++i) out[i] = load<T>(from + i * sizeof(T));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns; ++c)
      out[i * columns + c] = load<T>(from + i * stride + c * sizeof(T));
}

AccessorShape shape_for(const GltfDocument& document, std::size_t accessor, std::size_t columns) {
  const AccessorShape shape = accessor_shape(document.json, accessor);
  if (shape.columns != columns)
    fail(JsonElement{"accessors", accessor},
         "is a " + document.json["accessors"][accessor]["type"].get<std::string>() +
             ", a type that does not fit its use");
  return shape;
}

// The integer that stands for 1; 0 for values that are not normalized.
double largest_normalized(const AccessorShape& shape) {
  if (!shape.normalized || shape.component == ComponentType::f32) return 0;
  const bool is_signed =
      shape.component == ComponentType::i8 || shape.component == ComponentType::i16;
  const double bits = 8.0 * static_cast<double>(byte_size(shape.component)) - (is_signed ? 1 : 0);
  return std::exp2(bits) - 1;
}

// An accessor without a buffer view is all zeros, so no data bounds its count. The file's other
// data does: one row per byte keeps time and memory proportional to the file's size.
std::size_t max_implicit_rows(const GltfDocument& document) {
  std::size_t bytes = 0;
  for (const GltfDocument::Buffer& buffer : document.buffers) bytes += buffer.bytes.size();
  for (const auto& [view, decoded] : document.decoded_views) bytes += decoded.size();
  return bytes;
}

// Values that cannot be read directly from one view.
AccessorValues resolved_values(const GltfDocument& document, std::size_t accessor,
                               std::size_t columns) {
  const JsonElement element{"accessors", accessor};
  const Json& json = document.json["accessors"][accessor];
  const AccessorShape shape = shape_for(document, accessor, columns);
  AccessorValues out{shape.count, columns, {}};
  if (const Json* view = find(json, "bufferView")) {
    const std::size_t size = byte_size(shape.component);
    const Rows rows =
        rows_of_view(document, view->get<std::size_t>(), count_of(json, "byteOffset", element, 0),
                     shape.count, size * columns, element);
    out.values.resize(shape.count * columns);
    const Load load_value = loader(shape.component);
    for (std::size_t i = 0; i < shape.count; ++i)
      for (std::size_t c = 0; c < columns; ++c)
        out.values[i * columns + c] = load_value(rows.first + i * rows.stride + c * size);
  } else {
    if (shape.count > max_implicit_rows(document))
      fail(element, std::to_string(shape.count) +
                        " elements without data are too many for a file of this size");
    out.values.assign(shape.count * columns, 0.0);
  }
  if (const Json* sparse = find(json, "sparse"))
    read_sparse(document, *sparse, shape, out, element);
  normalize_integers(out, shape);
  return out;
}

}  // namespace

std::size_t byte_size(ComponentType type) {
  if (type == ComponentType::i8 || type == ComponentType::u8) return 1;
  return type == ComponentType::i16 || type == ComponentType::u16 ? 2 : 4;
}

AccessorShape accessor_shape(const Json& root, std::size_t accessor) {
  constexpr std::array<std::pair<const char*, std::size_t>, 7> types = {{{"SCALAR", 1},
                                                                         {"VEC2", 2},
                                                                         {"VEC3", 3},
                                                                         {"VEC4", 4},
                                                                         {"MAT2", 4},
                                                                         {"MAT3", 9},
                                                                         {"MAT4", 16}}};
  const JsonElement element{"accessors", accessor};
  const Json& json = root["accessors"][accessor];
  const auto& name = json["type"].get_ref<const std::string&>();
  const auto type = std::ranges::find_if(types, [&](const auto& t) { return name == t.first; });
  if (type == types.end()) fail(element, "unknown type " + in_quotes(name));
  AccessorShape shape;
  shape.component = component_type(count_of(json, "componentType", element), element);
  shape.columns = type->second;
  shape.count = count_of(json, "count", element);
  const Json* normalized = find(json, "normalized");
  shape.normalized = normalized && *normalized == true;
  return shape;
}

void normalize_integers(AccessorValues& values, const AccessorShape& shape) {
  const double largest = largest_normalized(shape);
  if (largest == 0) return;
  for (double& value : values.values) value = std::max(value / largest, -1.0);
}

AccessorRows::AccessorRows(AccessorValues values)
    : count_(values.count), columns_(values.columns), held_(std::move(values.values)) {}

AccessorRows::AccessorRows(const GltfDocument& document, std::size_t accessor,
                           std::size_t columns) {
  const Json& json = document.json["accessors"][accessor];
  const Json* view = find(json, "bufferView");
  if (!view || find(json, "sparse")) {
    *this = AccessorRows(resolved_values(document, accessor, columns));
    return;
  }
  const JsonElement element{"accessors", accessor};
  const AccessorShape shape = shape_for(document, accessor, columns);
  const Rows rows =
      rows_of_view(document, view->get<std::size_t>(), count_of(json, "byteOffset", element, 0),
                   shape.count, byte_size(shape.component) * columns, element);
  count_ = shape.count;
  columns_ = columns;
  component_ = shape.component;
  largest_ = largest_normalized(shape);
  first_ = rows.first;
  stride_ = rows.stride;
}

void AccessorRows::read(std::size_t begin, std::size_t end, double* out) const {
  const std::size_t values = (end - begin) * columns_;
  if (!first_) {
    std::copy_n(held_.data() + begin * columns_, values, out);
    return;
  }
  const std::uint8_t* from = first_ + begin * stride_;
  switch (component_) {
    case ComponentType::i8:
      load_rows<std::int8_t>(from, stride_, end - begin, columns_, out);
      break;
    case ComponentType::u8:
      load_rows<std::uint8_t>(from, stride_, end - begin, columns_, out);
      break;
    case ComponentType::i16:
      load_rows<std::int16_t>(from, stride_, end - begin, columns_, out);
      break;
    case ComponentType::u16:
      load_rows<std::uint16_t>(from, stride_, end - begin, columns_, out);
      break;
    case ComponentType::u32:
      load_rows<std::uint32_t>(from, stride_, end - begin, columns_, out);
      break;
    case ComponentType::f32:
      load_rows<float>(from, stride_, end - begin, columns_, out);
      break;
  }
  if (largest_ == 0) return;
  for (std::size_t i = 0; i < values; ++i) out[i] = std::max(out[i] / largest_, -1.0);
}

AccessorValues read_accessor(const GltfDocument& document, std::size_t accessor,
                             std::size_t columns) {
  const AccessorRows rows(document, accessor, columns);
  AccessorValues out{rows.count(), columns, std::vector<double>(rows.count() * columns)};
  rows.read(0, rows.count(), out.values.data());
  return out;
}

}  // namespace gvbind::gltf
