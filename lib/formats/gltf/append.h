#pragma once

// Tested by tests/unit/formats/gltf/patch_test.cpp.

#include "formats/gltf/accessor.h"

namespace gvbind::gltf {

/// The use of a buffer view; the values are those of glTF's "target".
enum class ViewTarget { none = 0, vertices = 34962, indices = 34963 };

struct AppendedView {
  std::size_t view = 0;
  std::span<std::uint8_t> bytes;  ///< zeros, to be filled before the next append
};

/// A new view of `size` bytes; see append_view.
AppendedView append_room(GltfDocument& document, std::size_t size, ViewTarget target,
                         std::size_t stride);

/// Reserves space for two views of `size` bytes in total, so that the buffer moves only once.
void reserve_room(GltfDocument& document, std::size_t size);

/// Appends only: old bytes, views and accessors keep their places. Returns the new view's index.
/// `stride` 0: tightly packed.
std::size_t append_view(GltfDocument& document, std::span<const std::uint8_t> bytes,
                        ViewTarget target, std::size_t stride = 0);

/// As append_room() and append_accessor() write them.
Json view_json(std::size_t buffer, std::size_t offset, std::size_t size, ViewTarget target,
               std::size_t stride);
Json accessor_json(std::size_t view, std::size_t offset, const AccessorShape& shape,
                   const char* type);

/// Adds an accessor of `shape` to a view; `type` is "SCALAR", "VEC3"...
std::size_t append_accessor(GltfDocument& document, std::size_t view, std::size_t offset,
                            const AccessorShape& shape, const char* type);

/// Converts the values to the shape's component type and stores them in a new view. `with_bounds`
/// gives the accessor min and max.
std::size_t append_values(GltfDocument& document, std::span<const double> values,
                          const AccessorShape& shape, ViewTarget target, bool with_bounds);

}  // namespace gvbind::gltf
