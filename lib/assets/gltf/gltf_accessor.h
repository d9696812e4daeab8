#pragma once

#include "assets/gltf/gltf_document.h"

namespace gvbind::gltf {

/// Rows of an accessor. Doubles hold every component type exactly.
struct AccessorValues {
  std::size_t count = 0;
  std::size_t columns = 1;
  std::vector<double> values;  ///< row by row

  std::span<const double> row(std::size_t i) const {
    return {values.data() + i * columns, columns};
  }
};

enum class ComponentType : std::size_t {
  i8 = 5120,
  u8 = 5121,
  i16 = 5122,
  u16 = 5123,
  u32 = 5125,
  f32 = 5126,
};

std::size_t byte_size(ComponentType type);

/// What an accessor's JSON says of its values.
struct AccessorShape {
  ComponentType component = ComponentType::f32;
  std::size_t columns = 1;
  std::size_t count = 0;
  bool normalized = false;
};
AccessorShape accessor_shape(const Json& root, std::size_t accessor);

/// Stride, normalized integers and sparse values resolved. Throws where the accessor has not
/// `columns` columns, or where anything lies outside its buffer view.
AccessorValues read_accessor(const GltfDocument& document, std::size_t accessor,
                             std::size_t columns);

/// Integers of a normalized accessor to -1 .. 1, in place.
void normalize_integers(AccessorValues& values, const AccessorShape& shape);

}  // namespace gvbind::gltf
