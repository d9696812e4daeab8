#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/joint.h"
#include "gvbind/mesh_view.h"
#include "gvbind/rig.h"
#include "rig/bones_in_body.h"

namespace gvbind::rig {

enum class OrientRule {
  automatic,  ///< another orientation is used if the template fits much better in it
  upright,    ///< as automatic, but +y is up: the file says so
  given,      ///< up and front are the caller's
};

struct RigOptions {
  int resolution = 128;  ///< voxels per side: a power of two, 16 to 512
  MirrorRule mirror = MirrorRule::automatic;
  OrientRule orient = OrientRule::automatic;
  std::vector<JointHint> hints = {};
  /// The middle of parts that are named as of a face, in the space of the mesh: on its front.
  std::optional<Eigen::Vector3d> face = {};
  /// Places of the template's joints in the space of the mesh, each by joint, where they may lie
  /// right already: a user's own skeleton as its file has it. Not used beside hints.
  std::vector<std::vector<Eigen::Vector3d>> given = {};
};

struct RiggedJoint {
  Eigen::Vector3d position;  ///< in the space of the mesh
  double confidence = 0.0;   ///< 0 to 1, see docs/rig.md
};

struct RiggedCharacter {
  std::vector<RiggedJoint> joints;  ///< one per joint of the template
  /// Rotates the body to the template's orientation.
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  bool is_given = false;     ///< joints lie as RigOptions::given, or all moved and scaled alike
  bool is_mirrored = false;  ///< mirror joints are exact mirror images
  double symmetry = 0.0;     ///< fraction of the body with a mirror image, 0 to 1
  /// Confidence is the probability that no main joint is far off, for humans; of other bodies it
  /// tells only how clear the ends of their limbs are.
  bool is_calibrated = false;
  BonesInBody bones;       ///< of all joints and ends
  double limb_cost = 0.0;  ///< of the assignment of tips, by limb of the template
  Findings findings;
};

/// Embeds a skeleton into a body (after sections 3.1 to 3.5 of Baran and Popovic 2007, with changes
/// described in docs/rig.md). Mesh and skeleton: x to the character's left, y up, z to the front;
/// size and position are arbitrary. Throws Error(cannot_bind): a mesh without volume, a template
/// without limbs; Error(usage): a hint for an unknown joint.
RiggedCharacter rig_character(const MeshView& mesh, std::span<const Joint> skeleton,
                              const RigOptions& options = {});

}  // namespace gvbind::rig
