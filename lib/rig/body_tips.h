#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <cstdint>
#include <optional>
#include <vector>

#include "rig/body_volume.h"
#include "rig/symmetry_plane.h"

namespace gvbind::rig {

/// A path through the middle of the body. Lengths in voxels.
struct BodyPath {
  std::vector<Eigen::Vector3d> points;
  std::vector<double> depths;        ///< of the body, by point
  std::vector<std::uint32_t> cells;  ///< by point
  std::vector<double> lengths;       ///< from the first point, by point

  double length() const { return lengths.back(); }
  Eigen::Vector3d at(double length) const;
  double depth_at(double length) const;
};

/// A protrusion of the body: a local maximum of the distance from the center.
struct BodyTip {
  Eigen::Vector3d place;
  double protrusion = 0.0;  ///< height above the saddle to a tip that is further away
  BodyPath path;            ///< from the tip to the center of the body
};

struct BodyTips {
  Eigen::Vector3d middle;     ///< midpoint between the two points furthest apart
  Eigen::Vector3d low, high;  ///< of the box of the body's cells
  std::vector<BodyTip> tips;  ///< furthest first

  double size() const { return (high - low).maxCoeff(); }
};

struct TipOptions {
  double least_protrusion = 0.03;  ///< relative to the body's size
  std::size_t most = 24;           ///< number of tips; the most protruding are kept
  /// The cell to which all paths lead, instead of the midpoint between the cells furthest apart.
  std::optional<std::uint32_t> middle = {};
};

/// Local maxima of the geodesic distance from the center, ranked by persistence: candidates for the
/// ends of limbs. They replace the sphere centers of the paper (section 3.1), which are candidates
/// for all joints. The cost of paths is length / squared depth.
BodyTips find_tips(const BodyVolume& body, const TipOptions& options = {});

/// Adds the mirror image of every tip if the body has a cell but no tip there.
void add_mirrored_tips(const BodyVolume& body, const SymmetryPlane& plane, BodyTips& tips);

}  // namespace gvbind::rig
