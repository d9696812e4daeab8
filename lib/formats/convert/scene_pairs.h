#pragma once

// Tested by tests/unit/formats/convert/compare_test.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "character/node_scene.h"

namespace gvbind {

std::string quoted(const std::string& name);

/// The part of a name that all formats keep: FBX ends it at its first zero.
std::string_view kept_name(const std::string& name);

/// Throws Error(output) with "read back differs: " and the text.
[[noreturn]] void differ(const std::string& what);

struct NodePairs {
  /// By node of the expected scene, the matching node that was read: with the same name, below the
  /// same parent or one of its helpers.
  std::vector<int> read_of;
  std::vector<std::vector<int>> helpers;  ///< by node that was read: its unpaired children
};

/// Throws if a node is missing.
NodePairs pair_nodes(const NodeScene& expected, const NodeScene& read);

/// The matching node, or a helper below it, whose member `holds` is not negative; -1: none. FBX
/// stores some content in nodes of their own.
int holder_of(const NodeScene& read, const NodePairs& pairs, std::size_t node, int Node::*holds);

/// Vertices of two meshes that are the same corners of the same triangles.
struct VertexPairs {
  std::vector<std::uint32_t> expected, read;
};

/// At most about `most` pairs, evenly spread over all triangles. Throws if triangles are missing.
VertexPairs pair_vertices(const Mesh& expected, const Mesh& read, std::size_t most);

}  // namespace gvbind
