#pragma once

#include <Eigen/Core>
#include <string>

namespace gvbind {

/// How a joint without children becomes a segment.
enum class LeafRule {
  surface,  ///< along its parent's segment's direction until shortly before the mesh ends, at most
            ///< as long as that segment
  extend,   ///< half its parent's segment, further along the same direction
  point,    ///< the joint alone
  ignore,   ///< no influence
};

/// What becomes of a joint none of whose segments meets a voxel of the mesh.
enum class OutsideRule {
  extend,  ///< its distances begin at the nearest voxels, with the distance to them
  snap,    ///< as if it were moved to the nearest voxel
  skip,    ///< owns nothing
  error,   ///< the bind is refused
};

/// A joint as the stages see it: a point of the skeleton and its place in the hierarchy.
struct Joint {
  Eigen::Vector3d position;  ///< bind space
  int parent = -1;           ///< index of an earlier joint, -1 at a root
  bool deforms = true;       ///< false: gives its parent a segment and owns nothing itself
  std::string name = {};     ///< for findings and errors; may be empty
};

}  // namespace gvbind
