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

/// A value of a node, kept as its file has it: arrays stay compressed until they are asked for.
struct FbxProperty {
  /// As in binary files: C B Z Y I F D L scalars, S text, R bytes, f d l i b c arrays. Of ASCII
  /// files: 'n' the text of a number or word, 'a' the text of an array.
  char type = 'n';
  bool changed = false;  ///< differs from the source text
  std::string data;      ///< scalars little-endian; arrays with their header of 12 bytes
  TextSpan source;
};

/// We keep and write the tree ourselves: of 22 binary files that Assimp 5.2.5 wrote none could be
/// opened again, by Blender or by itself, for want of the null records that close lists of nodes.
struct FbxNode {
  std::string name;
  std::vector<FbxProperty> properties;
  std::vector<FbxNode> children;
  bool null_record = false;  ///< binary: the list of children, empty or not, is closed by one
  TextSpan source;           ///< ASCII: the whole node
  TextSpan body;             ///< ASCII: what its braces enclose
};

FbxProperty make_integer(std::int32_t value);
FbxProperty make_long(std::int64_t value);
FbxProperty make_number(double value);
FbxProperty make_text(std::string_view value);
FbxProperty make_bytes(std::string_view value);
/// Compressed from 128 bytes on, as other writers do.
FbxProperty make_array(std::span<const double> values);
FbxProperty make_array(std::span<const float> values);
FbxProperty make_array(std::span<const std::int32_t> values);
FbxProperty make_array(std::span<const std::int64_t> values);

FbxNode make_node(std::string_view name, std::vector<FbxProperty> properties,
                  std::vector<FbxNode> children = {});

/// The first child of that name, or null.
const FbxNode* find_child(const FbxNode& node, std::string_view name);
FbxNode* find_child(FbxNode& node, std::string_view name);

bool is_array(const FbxProperty& property);

/// Empty where the value is of another kind or out of range.
std::optional<double> number_of(const FbxProperty& property);
std::optional<std::int64_t> integer_of(const FbxProperty& property);
/// Text with the escapes of ASCII files resolved; empty where the value is no text.
std::string text_of(const FbxProperty& property);

/// The node's array, or its scalar values where it has no array. Throws Error(input) naming the
/// node where an array is damaged or a value does not fit.
std::vector<double> doubles_of(const FbxNode& node);
std::vector<std::int32_t> integers_of(const FbxNode& node);

/// The bytes of an array without header, inflated. Throws Error(input).
std::string array_bytes(const FbxProperty& property);
/// Values that an array says it has; the count of an ASCII array is not asked.
std::size_t array_count(const FbxProperty& property);
/// What inflating it takes: nothing for what is no compressed array, or claims more than zlib can.
std::size_t unpacked_bytes(const FbxProperty& property);

}  // namespace gvbind
