#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/box_tree.h"
#include "gvbind/mesh_parts.h"
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
  struct Part {
    std::size_t first = 0, last = 0;  ///< of points_
    Box box;
    CodeNode node{};                                        ///< over `codes`
    std::vector<std::pair<MortonCode, std::size_t>> codes;  ///< ascending, with the point
  };

  std::vector<Part> own_points(std::size_t parts) const;
  std::vector<Box> boxes() const;
  Part own(std::size_t first, std::size_t last) const;
  std::vector<std::uint32_t> near(std::uint32_t part) const;
  double nearest(const Eigen::Vector3i& from, const Part& part, double bound,
                 double enough = 0.0) const;
  double least(const Part& part, const Part& other, double bound) const;
  std::vector<PartContact> nearest_parts(std::uint32_t part) const;

  std::vector<SurfacePoint> points_;  ///< by part, each part's in Morton order
  std::vector<Part> parts_;
  BoxTree tree_;
};

}  // namespace gvbind
