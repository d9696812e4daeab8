#pragma once

// Tested by tests/unit/formats/fbx/scene_test.cpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/fbx/tree.h"

namespace gvbind {

/// How a layer element of a geometry gives its values to corners of polygons.
struct FbxLayer {
  const FbxNode* node = nullptr;  ///< null: there is none
  std::string name;
  std::string mapping;
  std::vector<double> values;
  std::vector<std::int32_t> indices;  ///< empty: direct

  /// Position in `values` (in elements); past the end where there is none.
  std::size_t element(std::size_t corner, std::uint32_t vertex, std::size_t polygon) const;
};

/// Throws Error(input) where its arrays are damaged.
FbxLayer read_layer(const FbxNode& layer, std::string_view values, std::string_view indices);

/// The first of the geometry that has this name.
FbxLayer read_first_layer(const FbxNode& geometry, std::string_view name, std::string_view values,
                          std::string_view indices);

}  // namespace gvbind
