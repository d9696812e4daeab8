#pragma once

#include <Eigen/Core>
#include <string>

namespace gvbind {

/// A joint of the skeleton: position and parent.
struct Joint {
  Eigen::Vector3d position;  ///< in bind space
  int parent = -1;           ///< index of an earlier joint, -1 for a root
  bool deforms = true;       ///< false: gets no weight, but ends its parent's bone
  std::string name = {};     ///< for findings and errors; may be empty
  /// Unit vector in which the joint's bone leads; zero: unknown. Used where no child tells.
  Eigen::Vector3d along = Eigen::Vector3d::Zero();
};

}  // namespace gvbind
