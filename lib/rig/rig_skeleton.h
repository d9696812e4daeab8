#pragma once

// Tested by tests/command/rig_test.py.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bind/twist_weights.h"
#include "character/scene.h"
#include "gvbind/finding.h"
#include "io/read_limits.h"
#include "rig/joint_names.h"
#include "rig/rig_character.h"

namespace gvbind::rig {

/// The orientation of the mesh of a file.
struct Standing {
  std::optional<Eigen::Vector3d> up, front;  ///< none: from the file, or by best fit
};

/// Rows: left, up and front.
Eigen::Matrix3d standing_turn(const Eigen::Vector3d& up, const Eigen::Vector3d& front);

/// `front`, or another axis where that is up or down.
Eigen::Vector3d front_across(const Eigen::Vector3d& up, const Eigen::Vector3d& front);

/// A skeleton to embed, in a space with x left, y up and z front.
struct NamedTemplate {
  std::string name;  ///< a built-in template, or a file
  std::vector<Joint> joints;
  /// Of a file: its joints as they lie there and, where that differs, as stood up by their names.
  std::vector<std::vector<Eigen::Vector3d>> as_it_is = {};
  double meters = 1.0;     ///< per unit of these
  bool has_units = false;  ///< whether the file says so
};

/// Opens a built-in template or the joints of a file. Throws Error: input, cannot_bind.
NamedTemplate open_template(const std::string& name, const ReadLimits& limits);

/// Converts hints from names of the convention `names` to those of the template. Throws
/// Error(usage) for a name that is neither.
void name_as_template(const NamedTemplate& from, JointNames names, std::span<JointHint> hints);

/// Joints that were placed, and how well.
struct MadeSkeleton {
  Scene scene;                     ///< joints only, in the bind space of the mesh
  std::vector<double> confidence;  ///< by joint of the scene
  bool is_mirrored = false;
  double symmetry = 0.0;
  bool is_calibrated = false;  ///< as of RiggedCharacter
  std::vector<TwistLimb> twists = {};
};

/// Embeds a template into the selected meshes of a scene without joints. The y axis of each frame
/// points along the bone, or frames are those of the skeleton that has the names (engine_axes.h).
/// Findings: "body-turned", "joint-unsure". `options.hints` use the bind space of the scene and the
/// names of the template.
MadeSkeleton made_skeleton(const Scene& bare, const NamedTemplate& from, JointNames names,
                           const Standing& standing, RigOptions options, Findings& findings);

}  // namespace gvbind::rig
