#pragma once

// Tested by tests/unit/formats/gltf/patch_test.cpp.

#include "formats/gltf/accessor.h"

namespace gvbind::gltf {

/// What a buffer view is for; the numbers are those of the file.
enum class ViewTarget { none = 0, vertices = 34962, indices = 34963 };

struct AppendedView {
  std::size_t view = 0;
  std::span<std::uint8_t> bytes;  ///< zeros, to be filled before anything else is appended
};

/// A new view of `size` bytes; see append_view.
AppendedView append_room(GltfDocument& document, std::size_t size, ViewTarget target,
                         std::size_t stride);

/// Says how many bytes two views to come will take together, so that the buffer moves once.
void reserve_room(GltfDocument& document, std::size_t size);

/// All old bytes, views and accessors stay where they are: the new ones come after them. Returns
/// the new view's index. `stride` 0: tightly packed.
std::size_t append_view(GltfDocument& document, std::span<const std::uint8_t> bytes,
                        ViewTarget target, std::size_t stride = 0);

/// An accessor of `shape` into a view; `type` is "SCALAR", "VEC3"...
std::size_t append_accessor(GltfDocument& document, std::size_t view, std::size_t offset,
                            const AccessorShape& shape, const char* type);

/// Values as they are stored, converted to the shape's component type, in a view of their own.
/// `with_bounds` gives the accessor min and max.
std::size_t append_values(GltfDocument& document, std::span<const double> values,
                          const AccessorShape& shape, ViewTarget target, bool with_bounds);

}  // namespace gvbind::gltf
