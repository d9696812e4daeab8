#include "commands/bind/bind_file.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bind/bind_scene.h"
#include "bind/bound_weights.h"
#include "bind/check_outputs.h"
#include "bind/checked_write.h"
#include "check/judge_bind.h"
#include "check/node_pose.h"
#include "commands/bind/beside_skin.h"
#include "commands/bind/like_files.h"
#include "commands/bind/rigged_input.h"
#include "commands/bind/scene_skinning.h"
#include "commands/bind/timed_stage.h"
#include "common/resources.h"
#include "formats/document.h"
#include "formats/gltf/node_findings.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/egl.h"
#include "gvbind/error.h"
#include "gvbind/weights/character_weights.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "motion/cells_file.h"
#include "motion/clip_poses.h"
#include "motion/refine_scene.h"
#include "retarget/retarget_file.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// The lowest resolution that resolves the finest features of the meshes, limited by memory.
SceneResolution take_resolution(const BindRequest& request, const BindableFile& f,
                                Findings& findings) {
  SceneResolution advised = naming(
      request.input, [&] { return resolution_of(f.bindable(), request.options, request.volume); });
  const int taken = std::min(advised.resolution, planned_resolution(request));
  std::string message = std::to_string(taken) + ": " + advised.why;
  if (taken < advised.resolution)
    message += std::string("; limited by ") +
               (request.max_memory > 0 ? "--max-memory" : "the machine's memory") + ", " +
               std::to_string(advised.resolution) + " was wanted";
  findings.push_back({Severity::note, "resolution", message, ""});
  advised.resolution = taken;
  return advised;
}

/// The entry without weights and statistics.
BindEntry entry_of(const BindableFile& f, int resolution) {
  BindEntry entry;
  entry.resolution = static_cast<std::size_t>(resolution);
  entry.meshes.emplace();
  for (std::size_t m = 0; m < f.scene.meshes.size(); ++m) {
    const SceneMesh& mesh = f.scene.meshes[m];
    const MeshWeights existing = f.existing.meshes[m];
    entry.meshes->push_back({mesh.name, mesh.positions.size(), mesh.triangles.size(),
                             mesh.selected && existing != MeshWeights::kept, existing});
  }
  entry.existing = MeshWeights::none;
  for (const MeshWeights fate : {MeshWeights::kept, MeshWeights::filled, MeshWeights::replaced})
    if (f.existing.has(fate)) entry.existing = fate;
  if (f.existing.filled_vertices > 0) entry.filled_vertices = f.existing.filled_vertices;
  entry.joints.emplace();
  for (const SceneJoint& joint : f.scene.joints)
    if (joint.deforms) entry.joints->push_back({joint.name, std::nullopt});
  return entry;
}

void put_statistics(const BindStatistics& s, BindEntry& entry) {
  entry.device = s.device;
  entry.voxels = {s.interior_voxels, s.boundary_voxels, s.ambiguous_voxels, s.ambiguous_interior,
                  s.sparse_voxels};
  entry.unreached_vertices = s.unreached_vertices;
  entry.stages.emplace();
  std::size_t peak = 0;
  for (const StageTime& stage : s.stages) {
    entry.stages->push_back({stage.stage, stage.seconds, stage.peak_bytes});
    peak = std::max(peak, stage.peak_bytes);
  }
  entry.peak_bytes = peak;
}

void put_joint_vertices(const BindableFile& f, const SceneWeights& weights, BindEntry& entry) {
  const std::vector<std::size_t> vertices = joint_vertices(f.scene, weights);
  std::size_t entry_index = 0;
  for (std::size_t j = 0; j < vertices.size(); ++j)
    if (f.scene.joints[j].deforms) (*entry.joints)[entry_index++].vertices = vertices[j];
}

/// Refines the weights within the rules of the request. A finding gives the measures before and
/// after.
void refine_bound(const BindRequest& request, const BindableFile& f, SceneBinding& made) {
  motion::RefineOptions options;
  options.max_influences = request.options.max_influences;
  const bool has_rules = !(request.rules.forbid.empty() && request.rules.influences.empty() &&
                           request.rules.give.empty());
  if (has_rules && request.refine == Refinement::cells)
    throw Error(ErrorKind::usage,
                "--refine cells: a field knows no rules; use --refine poses with --forbid, "
                "--influences and --give");
  options.own_joints = has_rules;
  const motion::PoseSource poses = motion::clip_source(f.document, f.scene, made.findings);
  const motion::RefinedWeights refined =
      request.refine == Refinement::cells
          ? motion::refine_scene_by_cells(f.scene, f.bindable_joints, poses, options, made.weights)
                .refined
          : motion::refine_scene(f.scene, f.bindable_joints, poses, options, made.weights);
  // Refined weights may have another owner at a vertex than the one that --forbid was applied to.
  if (const OwnerBan bans = owner_ban(f.rules.forbidden, f.scene.joints.size()))
    for (SkinWeights& weights : made.weights.meshes) weights = without_banned(weights, bans);
  const std::string text = refined.taken > 0.0
                               ? motion::refined_text(refined.before, refined.after)
                               : "the weights stay; the fit moves no better in other poses";
  made.findings.push_back({Severity::note, "refined", text, ""});
}

/// The weights to write: none for meshes that keep theirs.
SceneBinding bound_weights(const BindRequest& request, const BindableFile& f,
                           const BindOptions& options, std::span<Character> characters,
                           const FieldUse& field, const Progress& progress) {
  const bool binds = f.existing.binds(f.scene);
  const auto from_cells = [&] {
    return motion::bind_from_cells(f.bindable(), options.max_influences, *request.from_cells);
  };
  SceneBinding bound = binds && request.from_cells
                           ? naming(request.input, from_cells)
                           : compute_weights(request, f, options, {progress}, characters, field);
  if (binds && request.refine != Refinement::off)
    naming(request.input,
           [&] { timed(bound.statistics, "refine", [&] { refine_bound(request, f, bound); }); });
  finish_weights(request, f, options, bound);
  return bound;
}

/// Checks new and kept weights in the pose that the nodes define.
void report_node_pose(const BindableFile& f, const SceneWeights& weights, Findings& findings) {
  std::vector<const SkinWeights*> rows;
  for (std::size_t m = 0; m < weights.meshes.size(); ++m)
    rows.push_back(weights.meshes[m].empty() ? nullptr : &weights.meshes[m]);
  for (Finding& finding :
       check::node_pose_findings(f.scene, rows, node_transforms(f.document, f.scene)))
    findings.push_back(std::move(finding));
}

/// Writes under a temporary name and reads the result back before the output and `beside` get their
/// names: both or neither. Returns the names of all files.
std::vector<std::string> write_bound(const BindRequest& request, const BindableFile& f,
                                     const SceneWeights& weights, const Additions& added,
                                     StagedFiles* beside, BindStatistics& statistics,
                                     Findings& findings) {
  std::optional<StagedFiles> staged;
  std::vector<std::string> written;
  for (const auto& [file, name] : request.file_names)
    findings.push_back({Severity::note, "sidecar-renamed",
                        "'" + file + "' is written as '" + name +
                            "': the output of another asset, or another file, has its name",
                        ""});
  timed(statistics, "write", [&] {
    const std::vector<EncodedFile> files =
        encode(f.document, request.output, findings, request.file_names);
    for (const EncodedFile& file : files)
      written.push_back(file.relative_path.empty() ? path_text(request.output.filename())
                                                   : file.relative_path);
    if (request.before_write) request.before_write(files);
    staged.emplace(files, request.output,
                   WriteOptions{request.overwrite, request.create_directories, request.staging_name,
                                request.why_keep});
  });
  timed(statistics, "verify", [&] {
    const ReadOptions reading =
        read_options({request.asset_root, request.max_memory}, request.input);
    verify_staged(*staged, {request.input, request.output, reading},
                  {f.scene, weights, f.found, added.splits});
    if (!added.clips.clips.empty())
      read_back(*staged, {request.input, request.output, reading}, [&](const Document& document) {
        retarget::compare_clips(added.clips, document, reading);
      });
  });
  StagedFiles* const outputs[] = {beside, &*staged};
  commit_together(outputs);
  return written;
}

SkinEntry judged(const BindableFile& f, const SceneWeights& weights, Findings& findings) {
  const check::BindJudgement judgement = check::judge_bind(f.scene, weights);
  for (const Finding& dead : judgement.findings)
    if (dead.code == "dead-joint")
      std::erase_if(findings, [&](const Finding& finding) {
        return finding.code == "joint-without-vertices" && finding.pointer == dead.pointer;
      });
  findings.insert(findings.end(), judgement.findings.begin(), judgement.findings.end());
  return {judgement.figures, judgement.comparison};
}

/// The distances in a temporary file, ready to be renamed.
std::unique_ptr<StagedFiles> staged_field(const BindRequest& request, DistanceCache kept,
                                          BindStatistics& statistics) {
  if (kept.solids.empty())
    throw Error(
        ErrorKind::cannot_bind,
        path_text(request.input) + ": nothing of it is bound, so there are no distances to keep");
  return timed(statistics, "keep", [&] {
    return std::make_unique<StagedFiles>(std::vector<EncodedFile>{{"", encode_field(kept)}},
                                         request.keep.file,
                                         WriteOptions{.overwrite = request.overwrite});
  });
}

}  // namespace

BindableFile read_selected(const BindRequest& request, Findings& findings) {
  BindableFile f = read_input(request, findings);
  if (request.rig.empty())
    finish_input(request, f, findings);
  else
    finish_rigged(request, f, findings);
  select_bindable(request, f, findings);
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&f.document); gltf && !f.built)
    for (Finding& finding : naming(request.input, [&] { return node_findings(**gltf, f.scene); }))
      findings.push_back(std::move(finding));
  return f;
}

BindOptions options_for(const BindRequest& request, const BindableFile& f) {
  BindOptions options = request.options;
  options.gpu = &egl::egl_voxelizer();
  options.rules = f.rules;
  const DistanceCache* const known = request.kept ? request.kept.get() : request.from_field.get();
  if (known) options.resolution = known->resolution;
  return options;
}

BoundFile bind_selected(const BindRequest& request, SelectedFile selected,
                        const Progress& progress) {
  const auto report = [&](const char* stage, double done) {
    if (progress) progress(stage, done);
  };
  BindableFile& f = selected.file;
  BindStatistics& statistics = selected.statistics;
  Findings& findings = selected.findings;
  const std::optional<SkinningPlan> skinning = plan_skinning(request, f);
  BindOptions options = options_for(request, f);
  const bool binds = f.existing.binds(f.scene);
  std::vector<Character> characters;
  const bool known = request.kept || request.from_field || request.from_cells;
  if (request.auto_resolution && binds && !known) {
    SceneResolution taken =
        timed(statistics, "resolution", [&] { return take_resolution(request, f, findings); });
    options.resolution = taken.resolution;
    characters = std::move(taken.characters);
  }
  BoundFile bound{entry_of(f, options.resolution), f.input_sidecars, f.skeleton_sidecars, {}};
  if (request.dry_run) {
    put_statistics({}, bound.entry);
    bound.entry.findings = std::move(findings);
    return bound;
  }

  DistanceCache kept{request.keep.input, request.keep.options, options.resolution, {}};
  const bool keeps = !request.keep.file.empty();
  SceneBinding made = bound_weights(
      request, f, options, characters, {keeps ? &kept.solids : nullptr, request.kept.get()},
      [&](const char* stage, double done) { report(stage, 0.1 + 0.7 * done); });
  made.statistics.stages.insert(made.statistics.stages.begin(), statistics.stages.begin(),
                                statistics.stages.end());
  statistics = std::move(made.statistics);
  put_joint_vertices(f, made.weights, bound.entry);
  for (Finding& finding : made.findings) findings.push_back(std::move(finding));
  report_node_pose(f, made.weights, findings);

  if (binds && !request.kept) {
    report("judge", 0.82);
    bound.entry.skin =
        timed(statistics, "judge", [&] { return judged(f, made.weights, findings); });
  }
  report("write", 0.85);
  // A document that is not patched is written from its original bytes.
  if (f.built || binds)
    timed(statistics, "patch", [&] {
      naming(request.input, [&] { patch_skin(f.document, f.scene, made.weights); });
      if (skinning) apply_skinning(*skinning, made.weights, f);
    });
  const auto field = keeps ? staged_field(request, std::move(kept), statistics) : nullptr;
  const Additions added = add_beside_skin(request, f, made.weights, statistics, findings);
  bound.entry.clips = added.clip_entries;
  bound.written = write_bound(request, f, made.weights, added, field.get(), statistics, findings);
  report("done", 1.0);
  put_statistics(statistics, bound.entry);
  bound.entry.findings = std::move(findings);
  return bound;
}

BoundFile bind_file(const BindRequest& request, const Progress& progress) {
  check_outputs(request);
  if (progress) progress("read", 0.0);
  SelectedFile selected;
  selected.file =
      timed(selected.statistics, "read", [&] { return read_selected(request, selected.findings); });
  return bind_selected(request, std::move(selected), progress);
}

namespace {

Scene with_bound_weights(const BindRequest& request, BindableFile f) {
  SceneBinding bound =
      bound_weights(request, f, options_for(request, f), {}, {nullptr, request.kept.get()}, {});
  for (std::size_t m = 0; m < f.scene.meshes.size(); ++m)
    if (!bound.weights.meshes[m].empty())
      f.scene.meshes[m].weights = std::move(bound.weights.meshes[m]);
  return std::move(f.scene);
}

}  // namespace

Scene bound_scene(const BindRequest& request) {
  Findings findings;
  return with_bound_weights(request, read_selected(request, findings));
}

Scene bound_scene(const BindRequest& request, Scene scene) {
  Findings findings;
  BindableFile f;
  f.scene = std::move(scene);
  select_bindable(request, f, findings);
  return with_bound_weights(request, std::move(f));
}

}  // namespace gvbind
