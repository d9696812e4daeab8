#pragma once

// Tested by tests/command/cli_test.py.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind/bind_scene.h"
#include "bind/existing_weights.h"
#include "bind/scene_rules.h"
#include "character/scene.h"
#include "character/target.h"
#include "check/judge_bind.h"
#include "cli/bind_options.h"
#include "formats/gltf/files.h"
#include "gvbind/bind_skin.h"
#include "gvbind/error.h"
#include "io/encoded_file.h"
#include "motion/skin_cells.h"

namespace gvbind {

/// Distances that are to be kept.
struct FieldRequest {
  std::filesystem::path file;  ///< empty: they are not
  /// As of DistanceCache.
  std::string input;
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
};

/// One file from its input to its output.
struct BindRequest {
  std::filesystem::path input;
  std::filesystem::path output;
  std::filesystem::path skeleton;  ///< empty: the input's own joints
  /// In place of `skeleton`: makes one for a scene without joints, in that scene's bind space. What
  /// it throws names the file that is at fault.
  std::function<Scene(const Scene& bare, Findings& findings)> make_skeleton;
  bool own_joints_first = false;  ///< with make_skeleton: a scene with joints keeps them
  SkeletonScale skeleton_scale;
  /// Files that the input or the skeleton names must lie under the directory of the one that names
  /// them, or under this one; empty: none.
  std::string asset_root;
  Selection selection;
  BindOptions options;
  RuleSet rules;
  /// Take a resolution that the meshes need and this many bytes allow, not the options'.
  bool auto_resolution = false;
  std::uint64_t max_memory = 0;  ///< see ReadLimits; bounds what auto_resolution takes too
  Volume volume = Volume::automatic;
  Refinement refine = Refinement::off;
  Existing existing = Existing::replace;
  std::optional<SkinningType> skinning;  ///< as of BindSettings
  std::string skinning_file;
  Target target = Target::none;
  bool overwrite = false;           ///< an output that is there already, the input itself too
  bool create_directories = false;  ///< of the output
  bool dry_run = false;             ///< stop before binding
  FieldRequest keep;                ///< where the distances go
  std::shared_ptr<const DistanceCache> kept;        ///< none are computed, and nothing is judged
  std::shared_ptr<const DistanceCache> from_field;  ///< of another file: see bind_from_field()
  std::shared_ptr<const SkinCells> from_cells;      ///< none: else weights are theirs
  /// See WriteOptions: for callers whose processes may be killed.
  std::string staging_name;
  FileNames file_names;  ///< of files beside the output, see encode_gltf
  /// With `overwrite`, see WriteOptions: why a file of the output that is there has to stay.
  std::function<std::string(const std::string&)> why_keep;
  /// Called with all files of the output before the first of them is written.
  std::function<void(const std::vector<EncodedFile>&)> before_write;
};

/// The request for one file by the settings. It overwrites only with --force, and makes no
/// directories. Throws Error(usage) for settings that contradict each other.
BindRequest request_of(const BindSettings& settings, const std::filesystem::path& input,
                       const std::filesystem::path& output);

struct BoundMesh {
  std::string name;
  std::size_t vertices = 0, triangles = 0;
  bool bound = false;
  MeshWeights existing = MeshWeights::none;  ///< what became of the weights that it had
};

struct BindOutcome {
  int resolution = 0;  ///< voxels per side
  std::vector<BoundMesh> meshes;
  std::vector<std::string> joints;          ///< those that may own weight
  std::vector<std::size_t> joint_vertices;  ///< vertices of each of them
  /// What the bind read beside the input and the skeleton, each from the directory of its file;
  /// named, but perhaps not there.
  std::vector<std::string> input_sidecars, skeleton_sidecars;
  std::vector<std::string> written;        ///< all files written, from the output's directory
  std::size_t filled_vertices = 0;         ///< without weight before, in meshes that are filled
  std::optional<BindJudgement> judgement;  ///< of the output's skin; none: nothing was bound
  BindStatistics statistics;  ///< its stages also hold "read", "judge", "patch", "write", "verify"
  Findings findings;          ///< "resolution": what auto_resolution took, and why
};

/// What became of weights that the input had, the gravest of its meshes.
MeshWeights existing_weights(const BindOutcome& outcome);

/// The input is sound but holds no mesh or no joints, so that there is nothing to be bound: no
/// failure for a file that a search of directories came upon.
class NothingToBind : public Error {
 public:
  explicit NothingToBind(const std::string& message) : Error(ErrorKind::cannot_bind, message) {}
};

/// The options' resolution; with auto_resolution the finest that may be taken in the memory given,
/// by the files' sizes, or the coarsest of all where none fits.
int planned_resolution(const BindRequest& request);

/// Raise it whenever the same input and options come to give another output.
constexpr int bind_version = 7;

/// Reads, binds, patches, writes under a temporary name, reads back, compares, and gives the output
/// its name. Throws Error; nothing is left under the output's name then.
BindOutcome bind_file(const BindRequest& request, const Progress& progress);

/// The scene with the weights that bind_file() would give it. Nothing is written. Throws Error.
Scene bound_scene(const BindRequest& request);

}  // namespace gvbind
