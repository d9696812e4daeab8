#pragma once

// Tested by tests/unit/retarget/retarget_clip_test.cpp.

#include "character/animation.h"
#include "retarget/local_pose.h"
#include "retarget/motion_figures.h"

namespace gvbind::retarget {

enum class RootMotion {
  keep,
  in_place,  ///< without the straight way from the first frame to the last
  extract,   ///< the hips' way on the ground moves to the topmost joint above them
};

struct RetargetOptions {
  bool feet = true;    ///< feet stay where those of the clip stand
  bool hands = false;  ///< the hands are as close to each other as in the clip
  RootMotion root = RootMotion::keep;
  RotationLimit limit = {};  ///< of the hero's file
};

/// A clip as world poses of its skeleton at times, frame by frame.
struct SampledMotion {
  std::vector<double> times;  ///< seconds
  double rate = 30.0;         ///< frames a second
  bool closed = false;        ///< ends as it begins
  WorldMotion poses;
};

/// Samples at the frame rate of the clip's keys, or 30 a second. Throws Error(input), with the
/// clip's name, if it is too long or a value is not finite.
SampledMotion sample_motion(const NodeScene& scene, const Clip& clip);

/// The node that can take root motion: the topmost joint above the hips, or the node from which
/// the hips hang, where it carries this skeleton alone. -1 without.
int root_node(const RestSkeleton& skeleton, const BodyRoles& roles, const NodeScene& hero);

struct RetargetedClip {
  Clip clip;  ///< channels by node of the hero's scene; keys within 0.1 degree
  MotionFigures figures;
  std::size_t frames = 0;
};

/// The hero's motion before it becomes channels.
WorldMotion hero_motion(const Retargeting& between, const SampledMotion& clip, double shift,
                        const RetargetOptions& options);

/// `hero` is the scene whose skeleton `between` has.
RetargetedClip retarget_clip(const Retargeting& between, const NodeScene& scene, const Clip& clip,
                             const NodeScene& hero, const RetargetOptions& options);

}  // namespace gvbind::retarget
