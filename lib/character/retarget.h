#pragma once

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The joints of `skeleton` as a scene without meshes in the units and axes of `target`: lengths
/// scaled by the ratio of Units::meters, up and front turned onto the target's; binds become rigid
/// (no scale, not mirrored) with the scale in their positions.
/// Where one of the two does not say its units, the usual unit (1, 0.01, 0.0254, ... m) and the up
/// axis (+Y or +Z) that bring the box of the joints nearest to the box of the meshes to be bound
/// are taken. Findings: "skeleton-units" says which (a warning where none fits well);
/// "skeleton-outside" warns when most joints lie outside the meshes' box. Throws Error(cannot_bind)
/// when there are no joints.
Scene retarget_skeleton(const Scene& skeleton, const Scene& target, Findings& findings);

/// Positions in one file's bind space -> those in another's, by what the two say of their units: up
/// on up, front on front, and a meter as long as a meter. Where one does not say, it is the
/// other's.
Eigen::Affine3d change_of_units(const Units& from, const Units& to);

}  // namespace gvbind
