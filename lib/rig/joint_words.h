#pragma once

// Tested by tests/unit/rig/joint_words_test.cpp.

#include <string>
#include <string_view>

namespace gvbind {

/// What a joint's name says it is.
enum class JointWord {
  none,
  hips,
  spine,
  chest,
  neck,
  head,
  collar,
  upper_arm,
  forearm,
  hand,
  finger,
  thigh,
  shin,
  foot,
  toe,
  tail,
  face,    ///< eyes, jaw, ears
  end,     ///< no joint but the place where the body ends
  helper,  ///< twist, IK, controls, props: follows the joint that it hangs from
};

/// By the words in a name, in any case, of the usual rigs (Mixamo, Unreal, Unity, Rigify, VRM,
/// 3ds Max' Biped).
JointWord joint_word(std::string_view name);

/// 1 for a name of the left side (+x of a character that looks along +z), -1 for the right, else 0.
int joint_side(std::string_view name);

/// The kind and the place in a chain ("spine 2", "hand L") that two rigs' names have in common;
/// empty where the name says nothing.
std::string joint_role(std::string_view name);

}  // namespace gvbind
