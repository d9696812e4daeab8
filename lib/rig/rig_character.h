#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/joint.h"
#include "gvbind/mesh_view.h"

namespace gvbind {

enum class MirrorRule {
  automatic,  ///< joints are made mirror images where body and pose are
  off,
};

enum class OrientRule {
  automatic,  ///< another orientation is taken where the template fits much better in it
  given,      ///< up and front are as the caller says
};

/// A joint that the user has placed.
struct JointHint {
  std::string name;
  Eigen::Vector3d position;  ///< space of the mesh
  bool of_box = false;  ///< shares of the mesh's box instead, 0 at its low corner, 1 at its high
};

struct RigOptions {
  int resolution = 128;  ///< voxels per side: a power of two, 16 to 512
  MirrorRule mirror = MirrorRule::automatic;
  OrientRule orient = OrientRule::automatic;
  std::vector<JointHint> hints = {};
};

struct RiggedJoint {
  Eigen::Vector3d position;  ///< space of the mesh
  double confidence = 0.0;   ///< 0 to 1, see docs/rig.md
};

struct RiggedCharacter {
  std::vector<RiggedJoint> joints;                     ///< as many as the template has
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< of the body, to stand as the template
  bool is_mirrored = false;                            ///< twins are exact mirror images
  double symmetry = 0.0;  ///< share of the body that has a mirror image, 0 to 1
  Findings findings;
};

/// Embeds a skeleton into a body (sections 3.1 to 3.5 of Baran and Popovic 2007, in ways of our
/// own, see docs/rig.md). Mesh and skeleton: x to the character's left, y up, z to the front, any
/// size and place. Throws Error(cannot_bind): a mesh without volume, a template without limbs;
/// Error(usage): a hint that names no joint.
RiggedCharacter rig_character(const MeshView& mesh, std::span<const Joint> skeleton,
                              const RigOptions& options = {});

}  // namespace gvbind
