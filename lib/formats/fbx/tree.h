#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// Offsets into the text of an ASCII document: [begin, end).
struct TextSpan {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t begin = none;
  std::size_t end = none;
  bool known() const { return begin != none; }
};

/// A value of a node, stored as in its file: arrays stay compressed until they are needed.
struct FbxProperty {
  /// As in binary files: scalars C B Z Y I F D L, text S, bytes R, arrays f d l i b c. In ASCII
  /// files: 'n' for the text of a number or word, 'a' for the text of an array.
  char type = 'n';
  bool changed = false;  ///< differs from the source text
  std::string data;      ///< scalars little-endian; arrays with their 12-byte header
  TextSpan source;
};

/// gvbind keeps and writes the tree itself: of 22 binary files written by Assimp 5.2.5, neither
/// Blender nor Assimp could open any, because the null records that end lists of nodes are missing.
struct FbxNode {
  std::string name;
  std::vector<FbxProperty> properties;
  std::vector<FbxNode> children;
  bool null_record = false;  ///< binary: a null record ends the list of children, even an empty one
  TextSpan source;           ///< ASCII: the whole node
  TextSpan body;             ///< ASCII: the text inside its braces
};

FbxProperty make_integer(std::int32_t value);
FbxProperty make_long(std::int64_t value);
FbxProperty make_number(double value);
FbxProperty make_text(std::string_view value);
FbxProperty make_bytes(std::string_view value);
/// Compressed from 128 bytes on, as in other writers.
FbxProperty make_array(std::span<const double> values);
FbxProperty make_array(std::span<const float> values);
FbxProperty make_array(std::span<const std::int32_t> values);
FbxProperty make_array(std::span<const std::int64_t> values);

FbxNode make_node(std::string_view name, std::vector<FbxProperty> properties,
                  std::vector<FbxNode> children = {});

/// The first child with this name, or null.
const FbxNode* find_child(const FbxNode& node, std::string_view name);
FbxNode* find_child(FbxNode& node, std::string_view name);

bool is_array(const FbxProperty& property);

/// Empty if the value has another type or is out of range.
std::optional<double> number_of(const FbxProperty& property);
std::optional<std::int64_t> integer_of(const FbxProperty& property);
/// Text with the escapes of ASCII files resolved; empty if the value is not text.
std::string text_of(const FbxProperty& property);

/// The node's array, or its scalar values if it has no array. Throws Error(input) with the node's
/// name if an array is damaged or a value does not fit.
std::vector<double> doubles_of(const FbxNode& node);
std::vector<std::int32_t> integers_of(const FbxNode& node);

/// The bytes of an array without its header, decompressed. Throws Error(input).
std::string array_bytes(const FbxProperty& property);
/// The number of values that a binary array claims to have; not for ASCII arrays.
std::size_t array_count(const FbxProperty& property);
/// The memory for decompressing an array; 0 for other properties, and for claims beyond zlib's
/// largest ratio.
std::size_t unpacked_bytes(const FbxProperty& property);

}  // namespace gvbind
