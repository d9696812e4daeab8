#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "assets/scene.h"

namespace gvbind {

enum class BentPose {
  stride,  ///< legs apart, arms down, spine bowed
  crouch,  ///< legs spread and bent, arms up, spine to one side
};

/// Turns for pose_joints that bend a skeleton where weights show: limbs in the places of knees and
/// elbows alternately, spines and tails in a curve. Found from lengths, directions and branches
/// alone, since names tell nothing in most files. Short side branches (fingers but the longest,
/// twist joints) keep their turn.
std::vector<Eigen::Quaterniond> bent_pose(const Scene& scene, BentPose pose, double degrees);

}  // namespace gvbind
