#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/base/bvh.h"
#include "gvbind/prepare/components.h"

namespace gvbind {

/// Contact of a component with another.
struct ComponentContact {
  std::uint32_t component;  ///< the other
  double gap;               ///< distance, cube sides
};

/// The surfaces of components as points, and the gaps between them. Uses every point, so that a
/// mirrored mesh gives the same result. Queries may run in parallel.
class ComponentContacts {
 public:
  ComponentContacts(const LatticeMesh& mesh, const Components& components);

  /// The contacts of a component with all others within a 40th of the cube's side, by component;
  /// without any, with the nearest (with ties).
  std::vector<ComponentContact> of(std::uint32_t component) const;

  /// The contacts of each of `components`, in ascending order; measures each pair once.
  std::vector<std::vector<ComponentContact>> of_each(
      std::span<const std::uint32_t> components) const;

  /// Number of points on a component's surface within `gap` (cube sides, at most a 40th) of another
  /// component.
  std::size_t within(std::uint32_t component, std::uint32_t other, double gap) const;

 private:
  using Box = Bvh::Box;
  /// A node of a component's points in Morton order, halved down to leaf_size: points_[first,
  /// last).
  struct Node {
    Eigen::AlignedBox3i box;
    std::uint32_t first, last;
    std::uint32_t children = 0;  ///< index of the first of two; 0 in a leaf
  };

  static std::vector<Node> nodes_of(std::span<const SurfacePoint> points, std::size_t components);
  std::vector<Box> boxes(std::size_t components) const;
  std::vector<std::uint32_t> near(std::uint32_t component) const;
  double nearest(const Eigen::Vector3i& from, std::uint32_t component, double bound,
                 double enough = 0.0) const;
  void approach(const Node& node, const Eigen::Vector3i& from, std::int64_t enough,
                std::int64_t& least) const;
  double gap_between(std::uint32_t component, std::uint32_t other, double bound) const;
  void approach(const Node& node, const Node& other, std::int64_t& least) const;
  std::vector<ComponentContact> nearest_components(std::uint32_t component) const;

  std::vector<SurfacePoint> points_;  ///< by component, then Morton code
  std::vector<Node> nodes_;           ///< the roots of components come first
  Bvh tree_;
};

}  // namespace gvbind
