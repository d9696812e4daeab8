#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace gvbind {

using Triangle = std::array<std::uint32_t, 3>;  ///< indices of positions

/// Non-owning view of positions: x, y, z as float or double with any stride (for example in a
/// vertex buffer). The memory must outlive the view.
class PositionView {
 public:
  PositionView() = default;
  /// `stride`: bytes from one position to the next.
  PositionView(const float* first, std::size_t count, std::size_t stride = 3 * sizeof(float))
      : first_(reinterpret_cast<const std::byte*>(first)), count_(count), stride_(stride) {}
  PositionView(const double* first, std::size_t count, std::size_t stride = 3 * sizeof(double))
      : first_(reinterpret_cast<const std::byte*>(first)),
        count_(count),
        stride_(stride),
        is_double_(true) {}
  /// From any contiguous range of Eigen::Vector3d or Eigen::Vector3f.
  template <class Range>
  requires requires(const Range& range) { std::span(range)[0].data(); }
  PositionView(const Range& range)  // NOLINT(google-explicit-constructor)
      : PositionView(std::span(range).empty() ? nullptr : std::span(range)[0].data(),
                     std::span(range).size(), sizeof(std::span(range)[0])) {}

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

  Eigen::Vector3d operator[](std::size_t index) const {
    const std::byte* const at = first_ + index * stride_;
    if (is_double_) return read<double>(at);
    return read<float>(at).cast<double>();
  }

 private:
  template <class Scalar>
  static Eigen::Matrix<Scalar, 3, 1> read(const std::byte* at) {
    Eigen::Matrix<Scalar, 3, 1> p;
    std::memcpy(p.data(), at, sizeof p);  // buffers need not be aligned
    return p;
  }

  const std::byte* first_ = nullptr;
  std::size_t count_ = 0, stride_ = 0;
  bool is_double_ = false;
};

/// Non-owning view of a mesh. Triangles are counter-clockwise seen from outside. The mesh need not
/// be closed, connected or manifold.
struct MeshView {
  PositionView positions;
  std::span<const Triangle> triangles;
};

}  // namespace gvbind
