#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <cstdint>
#include <vector>

#include "rig/body_volume.h"
#include "rig/symmetry_plane.h"

namespace gvbind {

/// A way through the middle of the body. Lengths in voxels.
struct BodyPath {
  std::vector<Eigen::Vector3d> points;
  std::vector<double> depths;        ///< of the body, by point
  std::vector<std::uint32_t> cells;  ///< by point
  std::vector<double> lengths;       ///< from the first point, by point

  double length() const { return lengths.back(); }
  Eigen::Vector3d at(double length) const;
  double depth_at(double length) const;
};

/// Where the body protrudes: a place further from the middle than all around it.
struct BodyTip {
  Eigen::Vector3d place;
  double protrusion = 0.0;  ///< how much further than the pass to a tip that is further still
  BodyPath path;            ///< from the tip to the middle of the body
};

struct BodyTips {
  Eigen::Vector3d middle;     ///< half way between the two places furthest from each other
  Eigen::Vector3d low, high;  ///< of the box of the body's cells
  std::vector<BodyTip> tips;  ///< the furthest first

  double size() const { return (high - low).maxCoeff(); }
};

struct TipOptions {
  double least_protrusion = 0.03;  ///< of the body's size
  std::size_t most = 24;           ///< tips; those that protrude least are left out
};

/// Local maxima of the geodesic distance from the middle, by their persistence: candidates for the
/// ends of limbs. They stand for the sphere centers of the paper (section 3.1), among which it
/// looks for all joints. Paths have the cost length over squared depth.
BodyTips find_tips(const BodyVolume& body, const TipOptions& options = {});

/// Adds the mirror image of every tip where the body has a cell there but no tip.
void add_mirrored_tips(const BodyVolume& body, const SymmetryPlane& plane, BodyTips& tips);

}  // namespace gvbind
