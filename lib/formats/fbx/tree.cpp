#include "formats/fbx/tree.h"

#include <zlib.h>

#include <cstring>

#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr std::size_t compress_from = 128;
constexpr std::size_t array_header = 12;
// zlib's largest ratio: a larger claim is false, and its memory need not be allocated.
constexpr std::uint64_t largest_inflation = 1040;

template <typename T>
FbxProperty scalar(char type, T value) {
  FbxProperty property;
  property.type = type;
  property.changed = true;
  property.data.resize(sizeof value);
  std::memcpy(property.data.data(), &value, sizeof value);
  return property;
}

FbxProperty text(char type, std::string_view value) {
  FbxProperty property;
  property.type = type;
  property.changed = true;
  property.data = value;
  return property;
}

std::string deflated(const void* bytes, std::size_t size) {
  uLongf room = compressBound(static_cast<uLong>(size));
  std::string out(room, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &room, static_cast<const Bytef*>(bytes),
                static_cast<uLong>(size), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error(ErrorKind::resource, "zlib failed to compress an array");
  out.resize(room);
  return out;
}

FbxProperty array(char type, const void* values, std::size_t count, std::size_t stride) {
  const std::size_t size = count * stride;
  const bool compressed = size > compress_from;
  const std::string body =
      compressed ? deflated(values, size) : std::string(static_cast<const char*>(values), size);
  const std::uint32_t header[3] = {static_cast<std::uint32_t>(count), compressed ? 1u : 0u,
                                   static_cast<std::uint32_t>(body.size())};
  FbxProperty property;
  property.type = type;
  property.changed = true;
  property.data.assign(reinterpret_cast<const char*>(header), sizeof header);
  property.data += body;
  return property;
}

std::uint32_t header_word(const FbxProperty& property, std::size_t word) {
  std::uint32_t value = 0;
  if (property.data.size() >= array_header)
    std::memcpy(&value, property.data.data() + 4 * word, sizeof value);
  return value;
}

/// The size in bytes that an array claims to have.
std::size_t array_size(const FbxProperty& property) {
  std::size_t stride = 1;
  if (property.type == 'd' || property.type == 'l') stride = 8;
  if (property.type == 'f' || property.type == 'i') stride = 4;
  return array_count(property) * stride;
}

}  // namespace

FbxProperty make_integer(std::int32_t value) { return scalar('I', value); }
FbxProperty make_long(std::int64_t value) { return scalar('L', value); }
FbxProperty make_number(double value) { return scalar('D', value); }
FbxProperty make_text(std::string_view value) { return text('S', value); }
FbxProperty make_bytes(std::string_view value) { return text('R', value); }

FbxProperty make_array(std::span<const double> values) {
  return array('d', values.data(), values.size(), sizeof(double));
}
FbxProperty make_array(std::span<const float> values) {
  return array('f', values.data(), values.size(), sizeof(float));
}
FbxProperty make_array(std::span<const std::int32_t> values) {
  return array('i', values.data(), values.size(), sizeof(std::int32_t));
}
FbxProperty make_array(std::span<const std::int64_t> values) {
  return array('l', values.data(), values.size(), sizeof(std::int64_t));
}

FbxNode make_node(std::string_view name, std::vector<FbxProperty> properties,
                  std::vector<FbxNode> children) {
  FbxNode node;
  node.name = name;
  node.properties = std::move(properties);
  node.children = std::move(children);
  node.null_record = !node.children.empty();
  return node;
}

const FbxNode* find_child(const FbxNode& node, std::string_view name) {
  for (const FbxNode& child : node.children)
    if (child.name == name) return &child;
  return nullptr;
}

FbxNode* find_child(FbxNode& node, std::string_view name) {
  for (FbxNode& child : node.children)
    if (child.name == name) return &child;
  return nullptr;
}

std::size_t array_count(const FbxProperty& property) { return header_word(property, 0); }

std::size_t unpacked_bytes(const FbxProperty& property) {
  const bool packed = is_array(property) && property.type != 'a' && header_word(property, 1) == 1;
  if (!packed) return 0;
  const std::size_t size = array_size(property);
  return size > largest_inflation * property.data.size() ? 0 : size;
}

std::string array_bytes(const FbxProperty& property) {
  const std::size_t size = array_size(property);
  const std::uint32_t encoding = header_word(property, 1);
  if (property.data.size() < array_header)
    throw Error(ErrorKind::input, "an array without its header");
  const std::size_t stored = property.data.size() - array_header;
  if (encoding == 0) {
    if (stored != size)
      throw Error(ErrorKind::input,
                  "an array of " + std::to_string(size) + " bytes has " + std::to_string(stored));
    return property.data.substr(array_header);
  }
  if (encoding != 1)
    throw Error(ErrorKind::input, "an array of unknown encoding " + std::to_string(encoding));
  if (size > largest_inflation * stored)
    throw Error(ErrorKind::input, "a compressed array claims " + std::to_string(size) + " bytes");
  std::string bytes(size, '\0');
  auto room = static_cast<uLongf>(size);
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &room,
                                reinterpret_cast<const Bytef*>(property.data.data() + array_header),
                                static_cast<uLong>(stored));
  // uncompress needs room for a byte even if its output is empty.
  if (size != 0 && (status != Z_OK || room != size))
    throw Error(ErrorKind::input, "a compressed array is damaged");
  return bytes;
}

}  // namespace gvbind
