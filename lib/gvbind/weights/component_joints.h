#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/prepare/character.h"

namespace gvbind {

/// How a component of the mesh takes its weights.
enum class ComponentKind : std::uint8_t {
  open,      ///< each vertex for itself
  rigid,     ///< all from the one joint whose bones it contains
  attached,  ///< it contains no bone: all from the joint with most weight on its vertices, if that
             ///< is enough (rigid_components.h)
};

struct ComponentJointOptions {
  /// A component contains bones if their length inside is more than this fraction of the diagonal
  /// of its box.
  double min_bone_length = 0.1;
  /// A component is rigid if one joint has this fraction of the bone length inside.
  double dominant_fraction = 0.85;
  /// A joint belongs to the component that contains most of its bones, and to those that contain
  /// this fraction of that.
  double shared_fraction = 0.4;
  /// A joint of whose bones less than this fraction lies in components belongs to all.
  double min_contained = 0.3;
  /// An attached component also takes the joints of components that are `contact` (cube sides)
  /// further away than the nearest, if they touch it along `shared_contact` of what the nearest
  /// does.
  double contact = 1.5 / 128.0, shared_contact = 0.8;
};

struct ComponentJoints {
  std::vector<ComponentKind> kind;        ///< one per component
  std::vector<std::uint32_t> joint;       ///< of a rigid component
  std::vector<std::vector<bool>> admits;  ///< by component and joint: whether that may own weight
};

/// Assigns each connected component to the joints whose bones it contains (by the winding number of
/// the component alone); a component with one joint becomes rigid. A component without bones takes
/// the joints of those that it touches, directly or through others like it. The component with most
/// vertices (each of them, if there are several) is not attached. A single component admits all
/// joints. `bones`: of the character, those of joints outside moved where that is wanted.
ComponentJoints component_joints(const Character& character, const LatticeBones& bones,
                                 const ComponentJointOptions& options = {});

}  // namespace gvbind
