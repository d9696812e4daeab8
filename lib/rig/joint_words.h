#pragma once

// Tested by tests/unit/rig/joint_words_test.cpp.

#include <string>
#include <string_view>
#include <vector>

namespace gvbind::rig {

/// Body part named by a joint.
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
  end,     ///< not a joint, marks an end of the body
  helper,  ///< twist, IK, controls, props: follows its parent
};

/// Lower-case words: split at characters that are not letters, at capitals after lower-case
/// letters, and after the first letter of a name like "LKnee".
std::vector<std::string> words_of_name(std::string_view name);

/// From the words in a name, in any case, of common rigs (Mixamo, Unreal, Unity, Rigify, VRM, 3ds
/// Max Biped).
JointWord joint_word(std::string_view name);

/// Whether a name says "leg" or "arm" but no part of the limb, so that other names have to tell.
bool names_whole_limb(std::string_view name);

/// Whether a name has all words of another and more.
bool says_more(std::string_view name, std::string_view other);

/// Whether a hand's name is that of a palm, of which a hand may have several.
bool names_palm(std::string_view name);

/// 1 for a name of the left side (+x of a character facing +z), -1 for the right, else 0.
int joint_side(std::string_view name);

/// Kind and index in a chain ("spine 2", "hand L"), comparable between rigs; empty for unknown
/// names.
std::string joint_role(std::string_view name);
std::string joint_role(JointWord word, int side);

}  // namespace gvbind::rig
