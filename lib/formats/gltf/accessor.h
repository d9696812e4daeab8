#pragma once

#include "formats/gltf/document.h"

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

/// The layout of an accessor's values, from its JSON.
struct AccessorShape {
  ComponentType component = ComponentType::f32;
  std::size_t columns = 1;
  std::size_t count = 0;
  bool normalized = false;
};
AccessorShape accessor_shape(const Json& root, std::size_t accessor);

/// Resolves stride, normalized integers and sparse values. Throws unless the accessor has `columns`
/// columns and all its data lies within its buffer views.
AccessorValues read_accessor(const GltfDocument& document, std::size_t accessor,
                             std::size_t columns);

/// The same rows, read from the buffer on demand, in ranges and from any thread. The document must
/// outlive this object and its buffers must not grow.
class AccessorRows {
 public:
  /// Throws as read_accessor does.
  AccessorRows(const GltfDocument& document, std::size_t accessor, std::size_t columns);
  /// From values already in memory.
  explicit AccessorRows(AccessorValues values);

  std::size_t count() const { return count_; }
  /// Rows begin .. end, row by row.
  void read(std::size_t begin, std::size_t end, double* out) const;

 private:
  std::size_t count_ = 0;
  std::size_t columns_ = 1;
  ComponentType component_ = ComponentType::f32;
  double largest_ = 0.0;                 ///< of a normalized integer; 0: not normalized
  const std::uint8_t* first_ = nullptr;  ///< null: `held_`
  std::size_t stride_ = 0;
  std::vector<double> held_;
};

/// Maps the integers of a normalized accessor to -1 .. 1, in place.
void normalize_integers(AccessorValues& values, const AccessorShape& shape);

}  // namespace gvbind::gltf
