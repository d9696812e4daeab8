#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/asset.h"
#include "gvbind/error.h"
#include "gvbind/finding.h"

namespace gvbind::vrm {

/// At the first and at the last joint of a chain, and between them in proportion.
using Range = std::pair<double, double>;

/// A user's entry about chains. Values that are none are those that suit the kind of chain.
struct GivenSpring {
  std::string place;                ///< with which refusals begin: "FILE:7"
  std::vector<std::string> joints;  ///< names or globs: chains begin at the topmost of these
  std::optional<Range> stiffness, gravity;  ///< in meters per second, 0 to 1000
  std::optional<Range> hit_radius;          ///< m, 0 to 1000
  std::optional<double> drag;               ///< 0 to 1
  /// Names of given colliders or of parts of the body; none: all of them within reach.
  std::optional<std::vector<std::string>> colliders;
};

/// A sphere, or with `tail` a capsule, that moves with a joint.
struct GivenCollider {
  std::string place, name, joint;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the axes of the joint, m
  std::optional<Eigen::Vector3d> tail = {};
  double radius = 0.0;  ///< m, 0 to 1000
};

struct GivenSprings {
  std::vector<GivenSpring> springs;
  std::vector<GivenCollider> colliders;
};

struct SpringsFileOptions {
  /// Instead of the chains that hang from the body by their names and places.
  std::optional<GivenSprings> given = {};
  AssetOptions reading = {};
  Asset::Overwrite overwrite = Asset::Overwrite::no;
};

/// Gives a skinned glTF or VRM spring bones (VRMC_springBone 1.0), as `gvbind bind --springs` does,
/// and leaves all else as it is. The output is read back and compared before it gets its name.
/// Returns the findings of the reader, and "springs-added", "springs-left-out" or "springs-none".
/// Throws Error: usage (other formats, a value out of range, or names that the file does not have),
/// input, resource, output (exists, not writable, differs when read back).
Findings add_springs_to_file(const std::filesystem::path& input,
                             const std::filesystem::path& output,
                             const SpringsFileOptions& options = {});

}  // namespace gvbind::vrm
