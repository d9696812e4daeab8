#pragma once

// Tested by tests/command/sizes_test.py.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "character/bindable_scene.h"

namespace gvbind {

/// Scale of a skeleton about the origin.
struct SkeletonScale {
  bool automatic = false;  ///< scale that fits the meshes, if the skeleton does not
  double factor = 1.0;     ///< else
};

/// How the sizes of the skeleton and of some meshes go together. All joints count, whether they
/// deform or not.
struct SkeletonFit {
  std::size_t joints = 0;
  double skeleton_size = 0.0, mesh_size = 0.0;  ///< longest sides of their boxes, bind space
  double covered = 1.0;  ///< the part of the meshes' box that the joints' covers, along the axis
                         ///< where that is most; of their longest side where they lie apart
  double reach = 0.0;    ///< nine vertices in ten are no further from a bone, of the diagonal
};

SkeletonFit skeleton_fit(const std::vector<SceneJoint>& joints, const BindableScene& scene,
                         const std::vector<std::size_t>& meshes);

/// Whether a skeleton of such a size can be meant. One that is larger than the meshes always can: a
/// garment alone has a whole skeleton around it. So can one joint or two.
bool fits(const SkeletonFit& fit);

/// 1 if `joints` fit the selected meshes of the scene, or if a selected mesh has a finished skin
/// (see require_fit); else the factor about the origin of bind
/// space that brings the bones nearest to the vertices: a change of units (a power of ten, also
/// times 2.54) or a round number where one is near.
double fitting_scale(const std::vector<SceneJoint>& joints, const BindableScene& scene);

/// Throws Error(cannot_bind) where there are more joints than can be bound, or where the scene's
/// joints fit none of the solids that its selected
/// meshes make by their sizes, nor those alone that stand about the skeleton: with both sizes, and
/// the factor that would fit. So where all joints that may own weight lie outside the meshes.
/// Nothing is refused where a selected mesh has a finished skin: undamaged, and following two
/// joints or more, near its vertices.
void require_fit(const BindableScene& scene);

/// Scales where joints are, about the origin of bind space; their axes stay.
void scale_joints(std::vector<SceneJoint>& joints, double factor);

}  // namespace gvbind
