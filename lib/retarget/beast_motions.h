#pragma once

// Tested by tests/unit/retarget/own_motions_test.cpp.

#include <string>
#include <vector>

#include "retarget/own_body.h"

namespace gvbind::retarget {

/// One loop of a motion, made for one body.
struct BeastMotion {
  int frames = 0;              ///< of the loop, at own_motion_rate
  std::vector<OwnPose> poses;  ///< frames + 1: the last is the first again, farther on
};

inline constexpr int own_motion_rate = 30;  ///< frames a second

/// Names of the motions of a kind of body that is no biped; all have "idle" and "limits".
std::vector<std::string> beast_motion_names(BodyKind kind);

/// `name` is one of beast_motion_names() of the body's kind.
BeastMotion beast_motion(const OwnBody& body, const std::string& name);

}  // namespace gvbind::retarget
