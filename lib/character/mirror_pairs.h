#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// What is made equal on both sides.
enum class Mirror {
  off,
  x,  ///< left and right of a plane across x
  y,
  z,
  automatic,  ///< of the plane that most joints and vertices have twins across
};

/// All places with this coordinate along the axis.
struct MirrorPlane {
  int axis = 0;
  double offset = 0.0;  ///< bind space

  Eigen::Vector3d mirrored(Eigen::Vector3d p) const {
    p[axis] = 2.0 * offset - p[axis];
    return p;
  }
};

/// The name with its side turned: "Left" and "Right" (in any case), L and R as a word or before one
/// with a capital, and the Japanese signs. Empty where the name has no side.
std::string mirrored_name(const std::string& name);

/// Of each joint the one at its mirrored place, itself in the middle, or -1. Within `near` the
/// place decides, and the name between joints at one place; a joint with the mirrored name, or one
/// without a side that is nearest to its own mirrored place, may be as far as `far`. Twins are each
/// other's. Lengths in bind space.
std::vector<int> joint_twins(const std::vector<SceneJoint>& joints, const MirrorPlane& plane,
                             double near, double far);

/// Of each position the one at its mirrored place, itself in the middle, or no_twin. Each is its
/// twin's nearest, and no further than `near` from its mirrored place; of several positions at one
/// place each has a twin of its own, as far as there are as many.
std::vector<std::size_t> vertex_twins(const std::vector<Eigen::Vector3d>& positions,
                                      const MirrorPlane& plane, double near);
constexpr std::size_t no_twin = static_cast<std::size_t>(-1);

/// The plane across which most joints and positions have twins: through the origin, the middle of
/// the positions, that of the joints, or the first joint. Pairs of joints count twice. None with
/// `automatic` where less than half of the joints and less than half of the positions do.
std::optional<MirrorPlane> mirror_plane(const std::vector<SceneJoint>& joints,
                                        const std::vector<Eigen::Vector3d>& positions,
                                        Mirror mirror, double near, double far);

}  // namespace gvbind
