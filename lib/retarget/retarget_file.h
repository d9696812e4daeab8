#pragma once

// Tested by tests/command/retarget_test.py.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "formats/document.h"
#include "io/read_limits.h"
#include "retarget/retarget_clip.h"

namespace gvbind::retarget {

/// A file with motion or with a skeleton that gets one.
struct MotionFile {
  std::string path;
  NodeScene scene;
  HumanBones bones;
};

/// Reads a BVH, FBX or glTF (GLB, VRM, VRMA) with its clips. Throws Error: as read_document; input
/// for other formats.
MotionFile read_motion(const std::string& path, const ReadLimits& limits, Findings& findings);

/// A glTF or FBX that gets clips.
struct HeroFile {
  Document document;
  MotionFile motion;  ///< without clips
};

/// Throws Error: as read_document; usage for other formats; cannot_bind without a skeleton.
HeroFile read_hero(const std::string& path, const ReadLimits& limits, Findings& findings);

/// Pairs of names that a user gave: the clip's joint, the hero's.
using GivenPairs = std::vector<std::pair<std::string, std::string>>;

/// A clip on the hero, and how its skeleton was matched.
struct NewClip {
  std::string source;  ///< path of its file
  RetargetedClip clip;
  JointMap map;
};

/// The clips of a file whose names match the glob (empty: all), on the hero. Throws Error: input if
/// there is no clip; usage if none matches; cannot_bind if fewer than `least_pairs` joints match.
std::vector<NewClip> retarget_motion(const MotionFile& from, const HeroFile& hero,
                                     const std::string& glob, const GivenPairs& given,
                                     const RetargetOptions& options);

/// Gives each clip a name of its own among all of the hero's, and writes the hero with them. Reads
/// the output back and compares it before it gets its name. Throws Error as write_document.
void write_with_clips(HeroFile& hero, std::vector<NewClip>& clips, const std::string& output,
                      const ReadLimits& limits, bool overwrite);

}  // namespace gvbind::retarget
