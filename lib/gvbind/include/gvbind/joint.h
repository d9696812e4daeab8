#pragma once

#include <Eigen/Core>
#include <string>

namespace gvbind {

/// A joint of the skeleton: a point and its place in the hierarchy.
struct Joint {
  Eigen::Vector3d position;  ///< bind space
  int parent = -1;           ///< index of an earlier joint, -1 at a root
  bool deforms = true;       ///< false: gives its parent a bone and owns nothing itself
  std::string name = {};     ///< for findings and errors; may be empty
};

}  // namespace gvbind
