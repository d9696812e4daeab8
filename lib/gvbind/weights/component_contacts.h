#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/base/bvh.h"
#include "gvbind/prepare/components.h"

namespace gvbind {

/// How close a component comes to another one.
struct ComponentContact {
  std::uint32_t component;  ///< the other
  double gap;               ///< the gap between them, cube sides
};

/// The surfaces of components as points, and the gaps between them. Every point is asked, so that
/// the answer is the same for a mirrored mesh. Queries may run in parallel.
class ComponentContacts {
 public:
  ComponentContacts(const LatticeMesh& mesh, const Components& components);

  /// The contacts of a component with all others within a 40th of the cube's side, by component; if
  /// there are none, with the nearest (several, if they are as close).
  std::vector<ComponentContact> of(std::uint32_t component) const;

  /// The same for each of `components`, in ascending order; each pair is measured once.
  std::vector<std::vector<ComponentContact>> of_each(
      std::span<const std::uint32_t> components) const;

  /// The number of points on a component's surface that are at most `gap` (cube sides, at most a
  /// 40th) from another component.
  std::size_t within(std::uint32_t component, std::uint32_t other, double gap) const;

 private:
  using Box = Bvh::Box;
  /// The points of a component, halved in Morton order until they are few: points_[first, last).
  struct Node {
    Eigen::AlignedBox3i box;
    std::uint32_t first, last;
    std::uint32_t children = 0;  ///< the first of two; 0 in a leaf
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
  std::vector<Node> nodes_;           ///< the first ones are those of whole components
  Bvh tree_;
};

}  // namespace gvbind
