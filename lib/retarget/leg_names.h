#pragma once

// Tested by tests/unit/retarget/beast_names_test.cpp.

#include <string>

namespace gvbind::retarget {

/// Parts of a beast's leg. `leg` is a joint that is only called a leg, `ankle` whatever lies
/// between the lower leg and the paw.
enum class LegPart { none, leg, collar, upper, middle, lower, ankle, foot, toe };

enum class LegPlace { unknown, front, hind };

/// The words about legs in the name of a joint.
struct LegName {
  LegPart part = LegPart::none;
  LegPlace place = LegPlace::unknown;
  /// The place comes from single letters ("F_L_Thigh", "Leg.BR"), which mean other things in other
  /// rigs.
  bool by_letter = false;
  bool is_corner = false;  ///< nothing but place and side: "FrontLeft"
  bool is_arm = false;     ///< "hand", "elbow": a part of a leg only where the leg above it says so
  int side = 0;            ///< as rig::joint_side()
};

/// From a name in English.
LegName leg_name(const std::string& name);

}  // namespace gvbind::retarget
