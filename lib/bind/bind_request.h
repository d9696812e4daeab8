#pragma once

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
#include "bind/skeleton_fit.h"
#include "character/target.h"
#include "formats/fbx/skinning.h"
#include "formats/gltf/files.h"
#include "gvbind/bind_options.h"
#include "io/encoded_file.h"

// Options of a bind have two forms. BindSettings (app/cli/bind_options.h) has the options as given:
// the words of the command line, of a manifest, a rules file or the options stored beside
// distances. It keeps names of files and the text of rules, since reports, stamps and the line that
// repeats a bind write them down again, and it knows neither input nor output. BindRequest is one
// bind of one file: files have been read, conflicts refused, presets and targets resolved into
// numbers, and nothing in it depends on how options were given. request_of() makes the second from
// the first, and it alone. Whoever has no command line (rig, the library) fills a BindRequest.

namespace gvbind::motion {
struct SkinCells;
}  // namespace gvbind::motion

namespace gvbind::vrm {
struct GivenSprings;
}  // namespace gvbind::vrm

namespace gvbind {

struct FinishedMesh;

/// Whether weights are fitted to how they move in random poses: each vertex's own, or cells that
/// give them.
enum class Refinement { off, poses, cells };

/// Spring bones of a glTF for what hangs from the body; see add_springs().
enum class Springs { off, automatic, file };

/// Distances that are to be saved.
struct FieldRequest {
  std::filesystem::path file;  ///< empty: they are not
  /// As of DistanceCache.
  std::string input;
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
};

/// The model in words, for a VRM; permissions are left out, so that the strictest hold.
struct VrmMeta {
  std::string name;                  ///< of the model
  std::vector<std::string> authors;  ///< none: "unknown"
};

/// One file from its input to its output.
struct BindRequest {
  std::filesystem::path input;
  std::filesystem::path output;
  std::filesystem::path skeleton;  ///< empty: the input's own joints
  std::string rig;                 ///< template for an input without joints; empty: none
  int twist = 0;                   ///< twist joints, as of RigFileOptions, with `rig`
  bool keep_axes = false;          ///< as of RigFileOptions, with `rig`
  std::optional<double> meters_per_unit;
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
  std::optional<VrmMeta> vrm;            ///< the output becomes a VRM 1.0, see add_humanoid()
  std::optional<SkinningType> skinning;  ///< as of BindSettings
  std::string skinning_file;
  Target target = Target::none;
  Springs springs = Springs::off;
  std::shared_ptr<const vrm::GivenSprings> given_springs;  ///< with Springs::file
  /// Motions that the output gets, see retarget_motion(): names of our own, or files.
  std::vector<std::string> clips;
  int max_joints = 0;                         ///< of a mesh's skin, see split_skins(); 0: any
  bool overwrite = false;                     ///< an existing output, the input itself too
  bool create_directories = false;            ///< of the output
  bool dry_run = false;                       ///< stop before binding
  FieldRequest keep;                          ///< where the distances go
  std::shared_ptr<const DistanceCache> kept;  ///< none are computed, and the output is not judged
  std::shared_ptr<const DistanceCache> from_field;  ///< of another file: see bind_from_field()
  /// Meshes of the same triangles get the weights of these; null: none. See finished_meshes.h.
  std::shared_ptr<const std::vector<FinishedMesh>> finished;
  std::shared_ptr<const motion::SkinCells> from_cells;  ///< none: else weights are theirs
  /// See WriteOptions: for callers whose processes may be killed.
  std::string staging_name;
  FileNames file_names;  ///< of files beside the output, see encode_gltf
  /// With `overwrite`, see WriteOptions: why a file of an existing output has to stay.
  std::function<std::string(const std::string&)> why_keep;
  /// Called with all files of the output before the first of them is written.
  std::function<void(const std::vector<EncodedFile>&)> before_write;
};

}  // namespace gvbind
