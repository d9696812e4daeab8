#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gvbind/primitive.h"
#include "gvbind/rules.h"

namespace gvbind {

// Files of rules: a rule a line, words between blanks, names with blanks in "quotes", comments
// after #. Numbers are in the asset's units, or percent of its box.

struct WrittenNumber {
  double value = 0.0;
  bool relative = false;  ///< a fraction of the box, not a length
};

/// A primitive as it is written: `sphere X Y Z RADIUS`, `point X Y Z`, `capsule X Y Z X Y Z
/// RADIUS`, `box X Y Z X Y Z`, `half-space X Y Z DX DY DZ`, and `in JOINT` behind it.
struct PrimitiveText {
  Primitive::Kind kind = Primitive::Kind::sphere;
  WrittenNumber a[3] = {}, b[3] = {}, radius = {};
  std::string joint = {};  ///< in whose frame it stands; empty: in bind space
};

/// `add|cut|seal PRIMITIVE`.
struct EditLine {
  EditKind kind = EditKind::add;
  PrimitiveText where;
  std::string origin;  ///< "FILE:LINE"
};

enum class InfluenceKind {
  start,  ///< distances to the joint begin there
  only,   ///< vertices there belong to these joints alone
  give,   ///< parts of the mesh that lie in it follow the joint
};

/// `start JOINT PRIMITIVE`, `only JOINT[|JOINT...] PRIMITIVE`, `give JOINT PRIMITIVE`.
struct InfluenceLine {
  InfluenceKind kind = InfluenceKind::start;
  std::vector<std::string> joints;  ///< globs; several for `only`
  PrimitiveText where;
  std::string origin;
};

// `name` is the file's, for messages. Throw Error(input) that begins with "NAME:LINE: ".
std::vector<EditLine> parse_edits(std::string_view text, const std::string& name);
std::vector<InfluenceLine> parse_influences(std::string_view text, const std::string& name);

/// Joints that own nothing where one of the others owns most.
struct ForbidRule {
  std::string first, second;  ///< globs
  std::string origin;
};

/// Vertices of a mesh or material follow a joint.
struct GiveRule {
  bool by_material = false;  ///< else by mesh
  std::string glob, joint;
  std::string origin;
};

/// The falloff of the joints.
struct AlphaRule {
  std::string joints;  ///< a glob
  double alpha = 0.4;
  std::string origin;
};

/// Joints or meshes keep the weights that they have.
struct LockRule {
  enum class Of { any, joint, mesh };
  Of of = Of::any;
  std::string glob;
  std::string origin;
};

/// "GLOB:GLOB". A colon of a name is written \: where there are more than one; of three, the
/// middle one separates. Throws Error(usage) that begins with "--forbid: ".
ForbidRule parse_forbid(const std::string& text);
/// "mesh:GLOB=JOINT", "material:GLOB=JOINT". Throws Error(usage) that begins with "--give: ".
GiveRule parse_give(const std::string& text);
/// "GLOB=A", A from 0 to 1. Throws Error(usage) that begins with "--alpha-joint: ".
AlphaRule parse_alpha_joint(const std::string& text);
/// "GLOB", "joint:GLOB", "mesh:GLOB". Throws Error(usage) that begins with "--lock: ".
LockRule parse_lock(const std::string& text);

}  // namespace gvbind
