#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gvbind/asset.h"
#include "gvbind/bind_options.h"
#include "gvbind/error.h"
#include "gvbind/finding.h"

namespace gvbind::rig {

/// Naming convention of the biped template's joints.
enum class JointNames { gvbind, mixamo, vrm, unity, unreal, godot, roblox };

enum class MirrorRule {
  automatic,  ///< joints are mirrored if body and pose are symmetric
  off,
};

/// A joint placed by the user.
struct JointHint {
  std::string name;
  Eigen::Vector3d position;  ///< in the space of the mesh
  /// Position is relative to the mesh's box, 0 at its low corner, 1 at its high corner.
  bool of_box = false;
};

struct RigFileOptions {
  /// A built-in template (biped, quadruped, bird, hand, fish, spider), or a file whose joints are
  /// the template.
  std::string skeleton = "biped";
  JointNames names = JointNames::gvbind;  ///< other names are for the biped alone
  /// Joints that stay at their position, by either name that the template has for them; in the
  /// units and axes of the file.
  std::vector<JointHint> hints = {};
  /// Twist joints along each upper arm, forearm and thigh of the biped, 0 to 8.
  int twist = 0;
  MirrorRule mirror = MirrorRule::automatic;
  /// Unit vectors along axes of the file. None: as the file says, or as the template fits best.
  std::optional<Eigen::Vector3d> up = {}, front = {};
  /// A mesh of a format without units (OBJ, PLY, STL) is not turned to stand along +y.
  bool keep_axes = false;
  /// The unit of such a mesh, in meters, 1e-6 to 1e6. None: by the usual size of the template.
  std::optional<double> meters_per_unit = {};
  BindOptions bind = {};  ///< of the weights
  AssetOptions reading = {};
  Asset::Overwrite overwrite = Asset::Overwrite::no;
};

struct PlacedJoint {
  std::string name;
  int parent = -1;           ///< index of an earlier joint; -1: a root
  Eigen::Vector3d position;  ///< in the space of the mesh
  double confidence = 0.0;   ///< 0 to 1, see docs/rig.md
};

/// Result of rig_file().
struct RiggedFile {
  std::vector<PlacedJoint> joints;
  bool is_mirrored = false;  ///< both sides are alike
  double symmetry = 0.0;     ///< fraction of the body with a mirror image, 0 to 1
  Findings findings;         ///< of reading, placing and binding; check() judges the skin
};

/// Gives the meshes of a file without joints a skeleton and weights, as `gvbind rig` does, and
/// writes it. The output has another format than the input if its extension says so, and is read
/// back and compared before it gets its name. Throws Error: usage, input (also where the file has
/// joints), cannot_bind (no mesh, a mesh without volume, a template without limbs), resource,
/// output.
RiggedFile rig_file(const std::filesystem::path& input, const std::filesystem::path& output,
                    const RigFileOptions& options = {});

}  // namespace gvbind::rig
