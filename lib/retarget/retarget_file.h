#pragma once

// Tested by tests/command/retarget_test.py.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "character/damaged_keys.h"
#include "formats/document.h"
#include "io/read_limits.h"
#include "retarget/retarget_clip.h"

namespace gvbind::retarget {

/// A file with motion or with a skeleton that gets one.
struct MotionFile {
  std::string path;
  NodeScene scene;
  HumanBones bones;
  std::vector<DamagedKeys> damaged = {};  ///< by index in scene.clips
};

/// Reads a BVH, FBX or glTF (GLB, VRM, VRMA) with its clips. Throws Error: as read_document; input
/// for other formats.
MotionFile read_motion(const std::string& path, const ReadLimits& limits, Findings& findings);

/// A glTF or FBX that gets clips.
struct HeroFile {
  Document document;
  MotionFile motion;  ///< without clips
};

/// A document that was read from `path` or made for it, as a hero. Throws Error: usage for other
/// formats than glTF and FBX; cannot_bind without a skeleton.
HeroFile hero_of(const Document& document, const std::string& path, const ReadOptions& reading);

/// hero_of() a file. Throws Error as read_document() too.
HeroFile read_hero(const std::string& path, const ReadLimits& limits, Findings& findings);

/// One of our own motions by its name, made for the hero, or else the file of that path. Throws
/// Error as read_motion(); usage for a motion that the hero's kind of body does not have. `kind` as
/// for own_motion().
MotionFile open_motion(const std::string& name, const HeroFile& hero, const ReadLimits& limits,
                       Findings& findings, std::string_view kind = {});

/// Gives a hero whose hips hang from nothing that could take root motion a node "root" above them,
/// in an FBX a joint. Does nothing where there is one, and without hips. Findings: "root-added".
void give_root(HeroFile& hero, const ReadOptions& reading, Findings& findings);

/// Pairs of names that a user gave: the clip's joint, the hero's.
using GivenPairs = std::vector<std::pair<std::string, std::string>>;

/// A clip on the hero, and how its skeleton was matched.
struct NewClip {
  std::string source;  ///< path of its file
  RetargetedClip clip;
  JointMap map;
  Findings findings = {};  ///< "motion-damaged", "motion-lost"; "motion-by-shape" and
                           ///< "motion-mirrored" in the first of a file
};

/// The clips of a file whose names match the glob (empty: all), on the hero. Throws Error: input if
/// there is no clip, or damage left no key of one; usage if none matches; cannot_bind if fewer than
/// `least_pairs` joints match.
std::vector<NewClip> retarget_motion(const MotionFile& from, const HeroFile& hero,
                                     const std::string& glob, const GivenPairs& given,
                                     const RetargetOptions& options);

/// Which joints of a file of clips found no partner, as a note; none where all did.
Findings unmatched_findings(const std::string& path, const JointMap& map);

/// Gives each clip a name of its own among all of the hero's, and adds them to the hero's document.
/// Returns what compare_clips() finds in the file again. `reading`: the options that the document
/// was read with.
NodeScene add_clips(HeroFile& hero, std::vector<NewClip>& clips, const ReadOptions& reading);

/// Throws Error(output) where the last clips of a document are not the clips of `expected`.
void compare_clips(const NodeScene& expected, const Document& written, const ReadOptions& reading);

/// Writes the hero. Reads the output back and compares its last clips with those of `expected`,
/// which add_clips() returned, before it gets its name. Throws Error as write_document.
void write_with_clips(const HeroFile& hero, const NodeScene& expected, const std::string& output,
                      const ReadOptions& reading, bool overwrite);

}  // namespace gvbind::retarget
