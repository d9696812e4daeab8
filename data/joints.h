#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "character/scene.h"

namespace gvbind {

/// Adds a joint, its frame not turned. Throws std::out_of_range for a parent that is not there; an
/// empty parent makes a root.
void add_joint(Scene& scene, std::string_view parent, std::string_view name,
               const Eigen::Vector3d& place);

/// NAME.L at `place`, NAME.R on the other side of x = 0. The parent is on the same side where such
/// a joint is there, else in the middle.
void add_joint_pair(Scene& scene, std::string_view parent, std::string_view name,
                    const Eigen::Vector3d& place);

/// Turns each frame so that its y runs along the bone: to the first child, or on from the parent.
void point_frames_along_bones(Scene& scene);

}  // namespace gvbind
