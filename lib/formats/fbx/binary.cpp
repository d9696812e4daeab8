#include "formats/fbx/document.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace gvbind {
namespace {

// The last byte, number 22, is 1 in big-endian files.
constexpr std::string_view magic("Kaydara FBX Binary  \0\x1a", 22);
constexpr std::size_t header_size = 27;
constexpr std::uint32_t wide_from = 7500;
constexpr int deepest = 64;
constexpr std::size_t array_header_size = 12;
constexpr std::size_t footer_id_size = 16;
constexpr std::size_t footer_tail_size = 4 + 120 + 16;

[[noreturn]] void fail(const std::string& what, std::size_t at) {
  throw Error(ErrorKind::input, what + " at byte " + std::to_string(at));
}

void reverse_each(std::string& bytes, std::size_t begin, std::size_t stride) {
  for (std::size_t at = begin; at + stride <= bytes.size(); at += stride)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + stride));
}

struct Reader {
  const std::uint8_t* bytes;
  std::size_t size;
  std::size_t at = 0;
  bool wide = false;
  bool big_endian = false;
  PropertyBudget memory{MemoryBudget(std::numeric_limits<std::uint64_t>::max())};

  void need(std::size_t count, std::size_t limit, const char* what) const {
    if (at > limit || count > limit - at) fail(std::string("truncated or damaged ") + what, at);
  }
  template <typename T>
  T take(std::size_t limit, const char* what) {
    T value;
    need(sizeof value, limit, what);
    std::array<std::uint8_t, sizeof value> taken;
    std::copy_n(bytes + at, sizeof value, taken.begin());
    if (big_endian) std::ranges::reverse(taken);
    std::memcpy(&value, taken.data(), sizeof value);
    at += sizeof value;
    return value;
  }
  std::string take_bytes(std::size_t count, std::size_t limit, const char* what) {
    need(count, limit, what);
    std::string out(reinterpret_cast<const char*>(bytes + at), count);
    at += count;
    return out;
  }
  std::uint64_t take_word() {
    return wide ? take<std::uint64_t>(size, "node") : take<std::uint32_t>(size, "node");
  }
};

std::size_t scalar_size(char type) {
  switch (type) {
    case 'C':
    case 'B':
    case 'Z':
      return 1;
    case 'Y':
      return 2;
    case 'I':
    case 'F':
      return 4;
    case 'D':
    case 'L':
      return 8;
    default:
      return 0;
  }
}

std::size_t element_size(char array_type) {
  if (array_type == 'd' || array_type == 'l') return 8;
  return array_type == 'f' || array_type == 'i' ? 4 : 1;
}

/// Converts an array and its header to little-endian. A compressed array is unpacked, since its
/// values have the other byte order too.
void make_little_endian(Reader& reader, FbxProperty& array) {
  std::string header = array.data.substr(0, array_header_size);
  reverse_each(header, 0, 4);
  array.data.replace(0, array_header_size, header);
  reader.memory.budget.add_unpacked(unpacked_bytes(array));
  std::string values = array_bytes(array);
  reverse_each(values, 0, element_size(array.type));
  std::uint32_t words[3];
  std::memcpy(words, array.data.data(), sizeof words);
  words[1] = 0;
  words[2] = static_cast<std::uint32_t>(values.size());
  array.data.assign(reinterpret_cast<const char*>(words), sizeof words);
  array.data += values;
}

FbxProperty read_property(Reader& reader, std::size_t limit) {
  FbxProperty property;
  reader.memory.add();
  const std::size_t start = reader.at;
  property.type = static_cast<char>(reader.take<std::uint8_t>(limit, "property"));
  if (const std::size_t size = scalar_size(property.type)) {
    property.data = reader.take_bytes(size, limit, "property");
    if (reader.big_endian) std::ranges::reverse(property.data);
  } else if (property.type == 'S' || property.type == 'R') {
    const auto length = reader.take<std::uint32_t>(limit, "text");
    property.data = reader.take_bytes(length, limit, "text");
  } else if (is_array(property) && property.type != 'a') {
    reader.need(array_header_size, limit, "array");
    const std::size_t begin = reader.at;
    const auto count = reader.take<std::uint32_t>(limit, "array");
    const auto encoding = reader.take<std::uint32_t>(limit, "array");
    std::uint64_t stored = reader.take<std::uint32_t>(limit, "array");
    // Some writers leave the stored length of an uncompressed array at zero.
    if (encoding == 0) stored = std::uint64_t{count} * element_size(property.type);
    if (stored > limit) fail("truncated or damaged array", start);
    reader.at = begin;
    property.data =
        reader.take_bytes(array_header_size + static_cast<std::size_t>(stored), limit, "array");
    if (reader.big_endian) make_little_endian(reader, property);
  } else {
    fail("unknown type of property", start);
  }
  return property;
}

bool read_node(Reader& reader, std::size_t limit, int depth, FbxNode& node);

void read_children(Reader& reader, std::size_t end, int depth, FbxNode& node) {
  while (reader.at < end) {
    FbxNode child;
    if (!read_node(reader, end, depth + 1, child)) {
      // Skip the rest up to the node's end, as the SDK does. Writing the tree then gives different
      // bytes, for which encode_fbx adds a warning.
      reader.at = end;
      node.null_record = true;
      return;
    }
    node.children.push_back(std::move(child));
  }
}

/// False for a null record.
bool read_node(Reader& reader, std::size_t limit, int depth, FbxNode& node) {
  const std::size_t start = reader.at;
  if (depth > deepest) fail("nodes nested too deeply", start);
  const std::uint64_t end = reader.take_word();
  const std::uint64_t property_count = reader.take_word();
  const std::uint64_t property_bytes = reader.take_word();
  const auto name_length = reader.take<std::uint8_t>(limit, "node");
  if (reader.at > limit) fail("truncated or damaged node", start);
  // Some writers leave the end of nodes without children at zero.
  const bool has_end = end != 0;
  if (!has_end && name_length == 0) {
    if (property_count != 0 || property_bytes != 0 || name_length != 0)
      fail("damaged end of a list of nodes", start);
    return false;
  }
  if (has_end && (end > limit || end <= start))
    fail("a node whose end lies outside its parent", start);
  const std::size_t node_end = has_end ? static_cast<std::size_t>(end) : limit;
  node.name = reader.take_bytes(name_length, node_end, "name of a node");
  if (property_bytes > node_end - reader.at || property_count > property_bytes)
    fail("a node whose properties do not fit", start);
  const std::size_t properties_end = reader.at + static_cast<std::size_t>(property_bytes);
  for (std::uint64_t i = 0; i < property_count; ++i)
    node.properties.push_back(read_property(reader, properties_end));
  reader.at = properties_end;
  if (has_end) read_children(reader, node_end, depth, node);
  return true;
}

std::size_t padding_size(FbxFooter::Padding rule, std::size_t after_id) {
  const auto to_sixteen = [](std::size_t at) { return 16 - at % 16; };
  return rule == FbxFooter::Padding::sdk ? to_sixteen(after_id) + 4 : 4 + to_sixteen(after_id + 4);
}

/// The padding style of the input's writer, so that a changed tree is padded in the same way.
FbxFooter::Padding padding_of(const std::string& footer, std::size_t start) {
  if (footer.size() < footer_id_size + footer_tail_size) return FbxFooter::Padding::as_read;
  const std::size_t size = footer.size() - footer_id_size - footer_tail_size;
  const std::string_view zeros = std::string_view(footer).substr(footer_id_size, size);
  if (zeros.find_first_not_of('\0') != zeros.npos) return FbxFooter::Padding::as_read;
  for (const auto rule : {FbxFooter::Padding::sdk, FbxFooter::Padding::blender})
    if (padding_size(rule, start + footer_id_size) == size) return rule;
  return FbxFooter::Padding::as_read;
}

/// The destination of a tree's bytes: appended to `out` or, with `expected`, compared with it.
struct Writer {
  std::vector<std::uint8_t> out;
  bool wide = false;
  const std::vector<std::uint8_t>* expected = nullptr;
  bool same = true;  ///< equal to `expected` so far
  std::size_t size = 0;

  void put(const void* data, std::size_t count) {
    if (count == 0) return;
    if (!expected) out.resize(size + count);
    set(size, data, count);
    size += count;
  }
  void put(std::string_view text) { put(text.data(), text.size()); }
  void put_zeros(std::size_t count) {
    static constexpr char zeros[32] = {};
    for (; count > sizeof zeros; count -= sizeof zeros) put(zeros, sizeof zeros);
    put(zeros, count);
  }
  /// Reserves a word whose value is written later.
  std::size_t put_word() {
    if (!expected) out.resize(size + word_size());
    return std::exchange(size, size + word_size());
  }
  void set_word(std::size_t at, std::uint64_t value) {
    if (!wide && value > std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorKind::output, "an FBX older than 7.5 cannot be larger than 4 GiB");
    set(at, &value, word_size());
  }

 private:
  std::size_t word_size() const { return wide ? 8 : 4; }
  void set(std::size_t at, const void* data, std::size_t count) {
    if (!expected)
      std::memcpy(out.data() + at, data, count);
    else
      same = same && at <= expected->size() && count <= expected->size() - at &&
             std::memcmp(expected->data() + at, data, count) == 0;
  }
};

void write_property(Writer& writer, const FbxProperty& property) {
  writer.put(&property.type, 1);
  if (property.type == 'S' || property.type == 'R') {
    const auto length = static_cast<std::uint32_t>(property.data.size());
    writer.put(&length, sizeof length);
  }
  writer.put(property.data);
}

void write_node(Writer& writer, const FbxNode& node) {
  const std::size_t end = writer.put_word(), count = writer.put_word(), bytes = writer.put_word();
  const auto name_length = static_cast<std::uint8_t>(node.name.size());
  writer.put(&name_length, 1);
  writer.put(node.name);
  const std::size_t properties = writer.size;
  for (const FbxProperty& property : node.properties) write_property(writer, property);
  writer.set_word(count, node.properties.size());
  writer.set_word(bytes, writer.size - properties);
  for (const FbxNode& child : node.children) write_node(writer, child);
  if (node.null_record) writer.put_zeros(writer.wide ? 25 : 13);
  writer.set_word(end, writer.size);
}

void write_footer(Writer& writer, const FbxFooter& footer) {
  if (footer.padding == FbxFooter::Padding::as_read) {
    writer.put(footer.bytes);
    return;
  }
  const std::string_view bytes = footer.bytes;
  writer.put(bytes.substr(0, footer_id_size));
  writer.put_zeros(padding_size(footer.padding, writer.size));
  writer.put(bytes.substr(bytes.size() - footer_tail_size));
}

void write_document(Writer& writer, const FbxDocument& document) {
  writer.wide = document.version >= wide_from;
  writer.put(magic);
  writer.put_zeros(1);
  writer.put(&document.version, sizeof document.version);
  for (const FbxNode& node : document.root.children) write_node(writer, node);
  writer.put_zeros(writer.wide ? 25 : 13);
  write_footer(writer, document.footer);
}

}  // namespace

bool is_binary_fbx(const std::vector<std::uint8_t>& bytes) {
  // The two bytes after the text are not compared, so that a damaged header is reported as such.
  return bytes.size() >= 20 && std::memcmp(bytes.data(), magic.data(), 20) == 0;
}

void parse_binary_fbx(FbxDocument& document) {
  const std::vector<std::uint8_t>& bytes = document.bytes;
  if (bytes.size() < header_size) fail("truncated header", bytes.size());
  if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) fail("damaged header", 20);
  Reader reader{bytes.data(), bytes.size(), header_size - sizeof document.version};
  reader.big_endian = bytes[22] != 0;
  reader.memory.budget = MemoryBudget(document.max_memory);
  document.version = reader.take<std::uint32_t>(header_size, "header");
  require_known_version(document.version);
  reader.wide = document.version >= wide_from;
  while (true) {
    FbxNode node;
    if (!read_node(reader, bytes.size(), 0, node)) break;
    document.root.children.push_back(std::move(node));
  }
  document.footer.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(reader.at), bytes.end());
  document.footer.padding = padding_of(document.footer.bytes, reader.at);
  if (reader.big_endian) document.footer = make_fbx_footer(document.version);
}

std::vector<std::uint8_t> write_binary_fbx(const FbxDocument& document) {
  Writer writer;
  writer.out.reserve(document.bytes.size() + document.bytes.size() / 8);
  write_document(writer, document);
  return std::move(writer.out);
}

bool writes_same_binary_fbx(const FbxDocument& document) {
  Writer writer;
  writer.expected = &document.bytes;
  write_document(writer, document);
  return writer.same && writer.size == document.bytes.size();
}

FbxFooter make_fbx_footer(std::uint32_t version) {
  constexpr std::string_view id("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e",
                                16);
  constexpr std::string_view end("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b",
                                 16);
  FbxFooter footer;
  footer.padding = FbxFooter::Padding::sdk;
  footer.bytes = id;
  footer.bytes.append(reinterpret_cast<const char*>(&version), 4);
  footer.bytes.append(120, '\0');
  footer.bytes += end;
  return footer;
}

}  // namespace gvbind
