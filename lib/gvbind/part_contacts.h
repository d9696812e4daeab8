#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/box_tree.h"
#include "gvbind/mesh_parts.h"
#include "gvbind/morton.h"
#include "gvbind/nearest.h"

namespace gvbind {

/// How near a part comes to another one.
struct PartContact {
  std::uint32_t part;  ///< the other
  double least;        ///< the gap between them, cube sides
};

/// The surfaces of a mesh's parts as points, and how near they come to one another. Every point is
/// asked, so that the answer is the same for a mirrored mesh. Questions may be put in parallel.
class PartContacts {
 public:
  PartContacts(const UnitScene& scene, const MeshParts& parts);

  /// The contacts of a part with every other one within a fortieth of the cube's side, by part;
  /// with the nearest alone (several, if they are as near) if none is that near.
  std::vector<PartContact> of(std::uint32_t part) const;

  /// Points of a part's surface at most `gap` (cube sides, no more than a fortieth) away from
  /// another part.
  std::size_t within(std::uint32_t part, std::uint32_t other, double gap) const;

 private:
  using Box = BoxTree::Box;
  /// Its points are points_[node.first, node.last).
  struct Part {
    Box box;
    CodeNode node{};  ///< over codes_
  };

  std::vector<MortonCode> codes_of_points() const;
  std::vector<Part> parts_of_points(std::size_t count) const;
  std::vector<Box> boxes() const;
  std::vector<std::uint32_t> near(std::uint32_t part) const;
  double nearest(const Eigen::Vector3i& from, const Part& part, double bound,
                 double enough = 0.0) const;
  double least(const Part& part, const Part& other, double bound) const;
  std::vector<PartContact> nearest_parts(std::uint32_t part) const;

  std::vector<SurfacePoint> points_;  ///< by part, each part's in Morton order
  std::vector<MortonCode> codes_;     ///< of the points
  std::vector<Part> parts_;
  BoxTree tree_;
};

}  // namespace gvbind
