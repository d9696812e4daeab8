#pragma once

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The joints of `skeleton` as a scene without meshes, in the units and axes of `target`. Lengths
/// are scaled by the ratio of Units::meters; up and front are rotated onto the target's; binds
/// become rigid (without scale or mirroring), with the scale applied to positions.
/// If one of the two has no units, picks the usual unit (1, 0.01, 0.0254, ... m) and up axis (+Y or
/// +Z) for which the joints' box is closest to the box of the selected meshes. Findings:
/// "skeleton-units" names the choice (a warning if none fits well); "skeleton-outside" warns if
/// most joints are outside the meshes' box. Throws Error(cannot_bind) without joints.
Scene skeleton_in_units(const Scene& skeleton, const Scene& target, Findings& findings);

/// Transform from one file's bind space to another's according to their units: maps up to up, front
/// to front, and meters to meters. Unknown units equal the other file's.
Eigen::Affine3d change_of_units(const Units& from, const Units& to);

}  // namespace gvbind
