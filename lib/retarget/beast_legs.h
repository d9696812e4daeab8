#pragma once

// Tested by tests/unit/retarget/own_motions_test.cpp.

#include <vector>

#include "retarget/own_body.h"

namespace gvbind::retarget {

/// A leg that walks.
struct OwnLeg {
  OwnLimb limb;
  int foot = -1;       ///< node at the end of the limb; -1: the end is a point of the lower bone
  int toe = -1;        ///< node that stands where the foot is carried high, as a hock is
  bool front = false;  ///< of an animal on four legs
  double phase = 0.0;  ///< of the gait, 0 to 1
  /// Where it stands at rest.
  Eigen::Vector3d contact(const OwnBody& body) const {
    return toe >= 0 ? body.at(toe) : foot >= 0 ? body.at(foot) : limb.end;
  }
};

/// In the order of the gait. Empty for bodies without.
std::vector<OwnLeg> legs_of(const OwnBody& body);

/// How legs walk.
struct Gait {
  double duty = 0.62;                          ///< share of a cycle in which a leg stands
  double sweep = 0.0;                          ///< m, that the body goes on over a foot that stands
  double lift = 0.0;                           ///< m, of a foot at the middle of its swing
  double crouch = 0.0;                         ///< m, that the body is lower than at rest
  int frames = 30;                             ///< of a cycle
  double way() const { return sweep / duty; }  ///< m, of a cycle
};

Gait gait_of(const OwnBody& body, const std::vector<OwnLeg>& legs);

/// Brings the foot to where it is at this time of the gait, while the body goes on at a steady
/// pace. The trunk of the pose has to be set before.
void step_leg(const OwnBody& body, const OwnLeg& leg, const Gait& gait, double phase,
              OwnPose& pose);

/// Keeps the foot where it is at rest.
void stand_leg(const OwnBody& body, const OwnLeg& leg, OwnPose& pose);

}  // namespace gvbind::retarget
