#pragma once

// Tested by tests/command/pose_test.py.

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "commands/pose/pose_option.h"
#include "motion/pose_surface.h"

namespace gvbind {

/// A character baked into a pose.
struct FrozenPose {
  const PoseSurface& surface;
  const std::vector<Eigen::Affine3d>& joints;     ///< bind space -> posed space
  const std::vector<Eigen::Vector3d>& positions;  ///< by vertex of the surface, posed space
};

/// Writes a .glb or .gltf (with materials and texture coordinates), an .obj (positions and
/// triangles) or a .png. The first three use the file's world space. Throws Error(output).
void write_pose(const PosedFile& file, const FrozenPose& pose, const std::string& output,
                bool overwrite);

}  // namespace gvbind
