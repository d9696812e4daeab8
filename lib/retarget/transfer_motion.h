#pragma once

// Tested by tests/unit/retarget/transfer_motion_test.cpp.

#include <Eigen/Geometry>
#include <vector>

#include "retarget/joint_map.h"

namespace gvbind::retarget {

/// Everything that is found once for all motions from one skeleton onto another.
struct Retargeting {
  MappedSkeleton clip, hero;
  JointMap map;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< the clip's world -> the hero's
  double ratio = 1.0;  ///< length in the hero per length in the clip, by the legs
  double leg = 1.0;    ///< length of the hero's leg, meters; of bodies without, half their size
  /// By node of the hero: the turn in the world that brings its rest pose to the clip's.
  std::vector<Eigen::Quaterniond> align = {};
  /// Both are one skeleton by an author: equal local rotations mean equal poses.
  bool same_axes = false;
  int mover = -1;     ///< pair whose translation is followed: the hips
  double lift = 0.0;  ///< meters that the hero's hips are higher once its legs are aligned
};

Retargeting make_retargeting(const MappedSkeleton& clip, const MappedSkeleton& hero, JointMap map);

/// A motion, sampled: by frame, the world pose of all nodes.
using WorldMotion = std::vector<WorldPose>;

/// Height of the ground that the clip's feet stand on, above that of its rest pose; 0 where they
/// agree in essence. Files with a rest pose around the origin have the floor at their feet.
double ground_shift(const Retargeting& between, const WorldMotion& clip);

/// How a motion treats joints where both sides are one skeleton, by node of the hero. Empty where
/// they are not.
struct SharedJoints {
  /// It has another place than at rest, as seen from the pair that carries it: a shoulder, or the
  /// foot of a control rig, that an animator has moved.
  std::vector<bool> slides;
  /// The clip leaves its partner at rest, so it stays at its own, which may be another.
  std::vector<bool> rests;
};
SharedJoints shared_joints(const Retargeting& between, const WorldMotion& clip);

/// The hero's pose for one of the clip. `shift` is ground_shift() of the motion.
WorldPose transfer_pose(const Retargeting& between, const WorldPose& clip, double shift,
                        const SharedJoints& shared = {});

}  // namespace gvbind::retarget
