#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assets/fbx/document.h"

namespace gvbind {

/// Whether the text begins as the writers of ASCII FBX begin it.
bool is_ascii_fbx(const std::vector<std::uint8_t>& bytes);

/// Fills version and root from document.bytes; every node and property knows its place in the text.
/// Throws Error(input) without the path.
void parse_ascii_fbx(FbxDocument& document);

/// The source text with new nodes, changed values and removed nodes worked in; all other text,
/// comments and line ends too, stays as it is.
std::vector<std::uint8_t> write_ascii_fbx(const FbxDocument& document);

/// The text of a node that has no source, indented by `depth` tabs, without a line end after it.
std::string print_ascii_node(const FbxNode& node, int depth, const std::string& line_end);
std::string print_ascii_property(const FbxProperty& property, int depth,
                                 const std::string& line_end);

/// "name\0\1Class" of binary files as "Class::name"; other text unchanged but for NULs,
/// which go. With quotes and escapes.
std::string quote_ascii(const std::string& text);

}  // namespace gvbind
