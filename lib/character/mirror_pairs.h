#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// Symmetry to enforce.
enum class Mirror {
  off,
  x,  ///< left and right of the plane x = offset
  y,
  z,
  automatic,  ///< the plane with most mirrored joints and vertices
};

/// The plane at this coordinate of an axis.
struct MirrorPlane {
  int axis = 0;
  double offset = 0.0;  ///< bind space

  Eigen::Vector3d mirrored(Eigen::Vector3d p) const {
    p[axis] = 2.0 * offset - p[axis];
    return p;
  }
};

/// The name with its side swapped: "Left" and "Right" (any case), L and R as a word or before a
/// capitalized word, and the Japanese characters. Empty if the name has no side.
std::string mirrored_name(const std::string& name);

/// By joint, the joint at its mirrored position, itself if in the middle, or -1. Within `near` the
/// position decides, and the name among joints at one position. Up to `far`, a joint with the
/// mirrored name qualifies, or the joint itself if it has no side and is nearest to its own
/// mirrored position. Pairs are mutual. Lengths in bind space.
std::vector<int> mirror_joints(const std::vector<SceneJoint>& joints, const MirrorPlane& plane,
                               double near, double far);

/// By position, the one at its mirrored position, itself if in the middle, or no_mirror. Partners
/// are mutually nearest and within `near` of the mirrored position. Several vertices at one
/// position are paired one to one as far as possible.
std::vector<std::size_t> mirror_vertices(const std::vector<Eigen::Vector3d>& positions,
                                         const MirrorPlane& plane, double near);
constexpr std::size_t no_mirror = static_cast<std::size_t>(-1);

/// The plane with the most mirrored joints and positions. Candidates pass through the origin, the
/// center of the positions, the center of the joints, or the first joint. Pairs of joints count
/// twice. None for `automatic` if both fractions are below one half.
std::optional<MirrorPlane> mirror_plane(const std::vector<SceneJoint>& joints,
                                        const std::vector<Eigen::Vector3d>& positions,
                                        Mirror mirror, double near, double far);

}  // namespace gvbind
