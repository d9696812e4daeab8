#pragma once

// Tested by tests/unit/formats/fbx/scene_test.cpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/fbx/tree.h"

namespace gvbind {

/// A layer element of a geometry: the mapping of its values to corners of polygons.
struct FbxLayer {
  const FbxNode* node = nullptr;  ///< null: no such element
  std::string name;
  std::string mapping;
  std::vector<double> values;
  std::vector<std::int32_t> indices;  ///< empty: direct

  /// Index of an element in `values`; past the end if the corner has none.
  std::size_t element(std::size_t corner, std::uint32_t vertex, std::size_t polygon) const;
};

/// Throws Error(input) if its arrays are damaged.
FbxLayer read_layer(const FbxNode& layer, std::string_view values, std::string_view indices);

/// The geometry's first layer element with this name.
FbxLayer read_first_layer(const FbxNode& geometry, std::string_view name, std::string_view values,
                          std::string_view indices);

}  // namespace gvbind
