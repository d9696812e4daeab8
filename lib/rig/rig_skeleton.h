#pragma once

// Tested by tests/command/rig_test.py.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"
#include "io/read_limits.h"
#include "rig/joint_names.h"
#include "rig/rig_character.h"

namespace gvbind {

/// Where the mesh of a file stands.
struct Standing {
  std::optional<Eigen::Vector3d> up, front;  ///< none: as the file says, or as fits best
};

/// A skeleton that can be embedded, in a space with x left, y up and z front.
struct NamedTemplate {
  std::string name;  ///< one of ours, or a file
  std::vector<Joint> joints;
};

/// One of ours, or the joints of a file. Throws Error: input, cannot_bind.
NamedTemplate open_template(const std::string& name, const ReadLimits& limits);

/// Gives hints that use the names that are written those of the template. Throws Error(usage) for a
/// name that is neither.
void name_as_template(const NamedTemplate& from, JointNames names, std::span<JointHint> hints);

/// Joints that were placed, and how well.
struct MadeSkeleton {
  Scene scene;                     ///< joints alone, in the bind space of the mesh
  std::vector<double> confidence;  ///< by joint of the scene
  bool is_mirrored = false;
  double symmetry = 0.0;
};

/// Embeds a template into the selected meshes of a scene without joints. Each frame's y points
/// along the bone. Findings: "body-turned", "joint-unsure". `options.hints`: bind space of the
/// scene, names of the template.
MadeSkeleton made_skeleton(const Scene& bare, const NamedTemplate& from, JointNames names,
                           const Standing& standing, RigOptions options, Findings& findings);

}  // namespace gvbind
