#pragma once

// Tested by tests/unit/formats/convert/compare_test.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "character/node_scene.h"

namespace gvbind {

std::string quoted(const std::string& name);

/// What a file may keep of a name: FBX ends it at its first zero.
std::string_view kept_name(const std::string& name);

/// Throws Error(output): "read back differs: " and what does.
[[noreturn]] void differ(const std::string& what);

struct NodePairs {
  /// By node of the expected scene, the node that it is in the one that was read: of its name,
  /// below the same node or a helper there.
  std::vector<int> read_of;
  std::vector<std::vector<int>> helpers;  ///< by node that was read: what hangs from it beside
};

/// Throws where a node is not there.
NodePairs pair_nodes(const NodeScene& expected, const NodeScene& read);

/// The pair of a node, or a helper below, for which `holds` is not negative; -1: none. FBX shows
/// some things at a node of their own.
int holder_of(const NodeScene& read, const NodePairs& pairs, std::size_t node, int Node::*holds);

/// Vertices of two meshes that are the same corners of the same triangles.
struct VertexPairs {
  std::vector<std::uint32_t> expected, read;
};

/// At most about `most`, evenly from all triangles. Throws where triangles are missing.
VertexPairs pair_vertices(const Mesh& expected, const Mesh& read, std::size_t most);

}  // namespace gvbind
