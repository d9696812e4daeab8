#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/prepare/character.h"

namespace gvbind {

/// How a component of the mesh is bound.
enum class ComponentKind : std::uint8_t {
  open,   ///< each vertex independently
  rigid,  ///< to the one joint whose bones it contains
  /// Contains no bone: to the joint with most weight on its vertices, if that is enough
  /// (rigid_components.h).
  attached,
};

struct ComponentJointOptions {
  /// A component contains bones if their length inside exceeds this fraction of its box's diagonal.
  double min_bone_length = 0.1;
  /// A component is rigid if one joint has at least this fraction of the bone length inside.
  double dominant_fraction = 0.85;
  /// Also admits a joint in components with at least this fraction of the bone length in its best
  /// component.
  double shared_fraction = 0.4;
  /// Joints with less than this fraction of their bones inside components are admitted in all.
  double min_contained = 0.3;
  /// An attached component also gets the joints of components up to `contact` (cube sides) further
  /// away than the nearest, if they touch it along at least `shared_contact` of the nearest's
  /// contact.
  double contact = 1.5 / 128.0, shared_contact = 0.8;
};

struct ComponentJoints {
  std::vector<ComponentKind> kind;   ///< one per component
  std::vector<std::uint32_t> joint;  ///< of rigid components
  /// By component and joint: whether the joint may have weight.
  std::vector<std::vector<bool>> admits;
};

/// Assigns each connected component to the joints whose bones it contains (by the winding number of
/// the component alone). A component with one joint is rigid. A component without bones is
/// attached: it gets the joints of components that it touches, directly or through others like it.
/// The component with most vertices (with ties) is never attached. A single component admits all
/// joints. `bones`: of the character, snapped if the options say so.
ComponentJoints component_joints(const Character& character, const LatticeBones& bones,
                                 const ComponentJointOptions& options = {});

}  // namespace gvbind
