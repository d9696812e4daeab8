#pragma once

// Tested by tests/import/import_test.cpp.

#include <string>
#include <string_view>
#include <unordered_map>

namespace gvbind {

struct ColladaNode {
  std::string name;  ///< what the artist called it; ids carry prefixes of the exporter
  bool joint = false;
};

/// The <node> elements of a COLLADA text by their id (else sid), which is what Assimp calls them.
/// Assimp itself drops type="JOINT" and, with ids, the names.
std::unordered_map<std::string, ColladaNode> collada_nodes(std::string_view text);

}  // namespace gvbind
