#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/prepare/character.h"

namespace gvbind {

/// How a part of the mesh takes its weights.
enum class ComponentKind : std::uint8_t {
  open,      ///< each vertex for itself
  rigid,     ///< all from the one joint whose bones lie in it
  attached,  ///< no bone lies in it: all from the joint that its vertices have most of, if that is
             ///< enough (rigid_components.h)
};

struct ComponentJointOptions {
  /// Bones lie in a part if they are this long in it, of the diagonal of the part's box.
  double min_bone_length = 0.1;
  /// One joint has a part for itself if this part of the bones in it is the joint's.
  double dominant_fraction = 0.85;
  /// A joint belongs to the part that holds most of its bones, and to those that hold this much of
  /// that.
  double shared_fraction = 0.4;
  /// A joint that no part holds this much of belongs to all.
  double min_contained = 0.3;
  /// An attached part hangs from what is this much further away, too, in cube sides, if that
  /// touches it along this part of what the nearest does.
  double contact = 1.5 / 128.0, shared_contact = 0.8;
};

struct ComponentJoints {
  std::vector<ComponentKind> kind;        ///< one a part
  std::vector<std::uint32_t> joint;       ///< of a rigid part
  std::vector<std::vector<bool>> admits;  ///< a part, an influence: whether that may own in it
};

/// Which joints belong to which part, by the bones inside (by the part's own winding number) and,
/// for a part without bones, by the parts that it touches, directly or through others like it. The
/// part of most vertices (each of them, if they are several) is open in any case. The mesh's only
/// part admits all.
ComponentJoints component_joints(const Character& character, const LatticeBones& bones,
                                 const ComponentJointOptions& options = {});

}  // namespace gvbind
