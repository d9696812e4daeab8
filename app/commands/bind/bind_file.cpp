#include "commands/bind/bind_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "bind/bind_scene.h"
#include "bind/checked_write.h"
#include "bind/locked_weights.h"
#include "bind/verify.h"
#include "bind/weights_from_cache.h"
#include "character/mirror_weights.h"
#include "check/node_pose.h"
#include "commands/bind/prepare_bind.h"
#include "commands/bind/refine_bound.h"
#include "commands/bind/scene_skinning.h"
#include "commands/skeleton/rig_skeleton.h"
#include "common/resources.h"
#include "egl/voxelize.h"
#include "formats/document.h"
#include "gvbind/base/peak_memory.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "motion/cells_file.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Runs a step and notes its time under a stage's name.
template <typename Step>
auto timed(BindStatistics& statistics, const char* stage, Step&& step) {
  struct Clock {
    BindStatistics& statistics;
    const char* stage;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Clock() {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      statistics.stages.push_back({stage, seconds.count(), peak_memory_bytes()});
    }
  } clock{statistics, stage};
  return step();
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

void check_format(const BindRequest& request) {
  if (is_written(request.output)) return;
  const std::string extension = request.output.extension().string();
  throw Error(ErrorKind::usage,
              request.output.string() + ": " +
                  (extension.empty() ? "has no extension" : "is of no format that gvbind writes") +
                  "; use .fbx, .glb, .gltf or .vrm, or end it with '/' for a folder");
}

/// Where the directory is there already, or has to be.
void check_directory(const BindRequest& request) {
  const fs::path named = request.output.parent_path();
  const fs::path directory = named.empty() ? "." : named;
  std::error_code ignored;
  if (request.create_directories && !fs::exists(directory, ignored)) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::output, request.output.string() + ": " + why);
  };
  if (!fs::exists(directory, ignored))
    refuse("there is no folder '" + directory.string() + "'; create it first, or give '" +
           directory.string() + "/' as the output");
  if (!fs::is_directory(directory, ignored)) refuse("'" + directory.string() + "' is not a folder");
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    refuse("cannot write in '" + directory.string() +
           "': " + std::generic_category().message(errno));
}

/// What would make the work useless is said before the work.
void check_output(const BindRequest& request) {
  check_path_length(request.output);
  check_format(request);
  check_directory(request);
  std::error_code ignored;
  const std::string name = request.output.string();
  if (!request.overwrite && same_file(request.input, request.output))
    throw Error(ErrorKind::output, name + ": is the input itself; --force overwrites it");
  if (!request.overwrite && fs::exists(request.output, ignored))
    throw Error(ErrorKind::output, name + ": exists already; --force overwrites it");
  if (fs::is_directory(request.output, ignored))
    throw Error(ErrorKind::output, name + ": is a folder");
}

/// The same of a file of distances.
void check_field(const BindRequest& request) {
  const fs::path& file = request.keep.file;
  std::error_code ignored;
  if (file.empty()) return;
  check_path_length(file);
  if (!request.overwrite && fs::exists(file, ignored))
    throw Error(ErrorKind::output, file.string() + ": exists already; --force overwrites it");
  for (const fs::path& other : {request.input, request.output})
    if (file.lexically_normal() == other.lexically_normal() || same_file(file, other))
      throw Error(ErrorKind::usage,
                  "--save-distances: " + file.string() + " is the input or the output itself");
}

/// The least resolution that holds the meshes' finest features, as far as memory goes.
SceneResolution take_resolution(const BindRequest& request, PreparedBind& p, Findings& findings) {
  std::swap(p.scene.joints, p.bindable_joints);
  SceneResolution advised = naming(
      request.input, [&] { return resolution_of(p.scene, request.options, request.volume); });
  std::swap(p.scene.joints, p.bindable_joints);
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

BindOutcome describe(const PreparedBind& p) {
  const Scene& scene = p.scene;
  BindOutcome outcome;
  outcome.input_sidecars = p.input_sidecars;
  outcome.skeleton_sidecars = p.skeleton_sidecars;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    const MeshWeights existing = p.existing.meshes[m];
    outcome.meshes.push_back({mesh.name, mesh.positions.size(), mesh.triangles.size(),
                              mesh.selected && existing != MeshWeights::kept, existing});
  }
  outcome.filled_vertices = p.existing.filled_vertices;
  for (const SceneJoint& joint : scene.joints)
    if (joint.deforms) outcome.joints.push_back(joint.name);
  return outcome;
}

/// What is to be written: nothing for meshes that keep their weights.
SceneBinding weigh(const BindRequest& request, PreparedBind& p, const BindOptions& options,
                   std::span<Character> characters, const FieldUse& field,
                   const Progress& progress) {
  SceneBinding binding;
  if (p.existing.binds(p.scene)) {
    std::swap(p.scene.joints, p.bindable_joints);
    binding = naming(request.input, [&] {
      SceneBinding made =
          request.from_cells ? bind_from_cells(p.scene, options.max_influences, *request.from_cells)
          : request.from_field
              ? bind_from_field(p.scene, options, *request.from_field)
              : bind_scene(p.scene, options, request.volume, {progress}, characters, field);
      if (request.refine != Refinement::off)
        timed(made.statistics, "refine", [&] { refine_bound(request, p, made); });
      mirror_weights(p.scene, request.rules.mirror, falloff_of(options), made.weights,
                     made.findings);
      return made;
    });
    std::swap(p.scene.joints, p.bindable_joints);
  } else {
    binding.weights.meshes.resize(p.scene.meshes.size());
    binding.statistics.device = "none";
  }
  apply_locks(p.scene, p.locked, options.max_influences, binding.weights, binding.findings);
  apply_existing(p.scene, p.existing, p.built, binding.weights);
  fit_to_target(request.target, p.scene, binding.weights, binding.findings);
  return binding;
}

/// The new skin, and what is kept, in the pose that the nodes hold.
void report_node_pose(const PreparedBind& p, const SceneWeights& weights, Findings& findings) {
  std::vector<const SkinWeights*> rows;
  for (std::size_t m = 0; m < weights.meshes.size(); ++m)
    rows.push_back(weights.meshes[m].empty() ? nullptr : &weights.meshes[m]);
  for (Finding& finding : node_pose_findings(p.scene, rows, node_transforms(p.document, p.scene)))
    findings.push_back(std::move(finding));
}

/// Writes under a temporary name, reads that back and compares before the output gets its name, and
/// `beside` its own: both or neither.
void write_checked(const BindRequest& request, const PreparedBind& p, const SceneWeights& weights,
                   StagedFiles* beside, BindOutcome& outcome, Findings& findings) {
  std::optional<StagedFiles> staged;
  for (const auto& [file, name] : request.file_names)
    findings.push_back({Severity::note, "sidecar-renamed",
                        "'" + file + "' is written as '" + name +
                            "': the output of another asset, or another file, has its name",
                        ""});
  timed(outcome.statistics, "write", [&] {
    const std::vector<EncodedFile> files =
        encode(p.document, request.output, findings, request.file_names);
    for (const EncodedFile& file : files)
      outcome.written.push_back(file.relative_path.empty() ? request.output.filename().string()
                                                           : file.relative_path);
    if (request.before_write) request.before_write(files);
    staged.emplace(files, request.output,
                   WriteOptions{request.overwrite, request.create_directories, request.staging_name,
                                request.why_keep});
  });
  timed(outcome.statistics, "verify", [&] {
    const ReadBack from{request.input, request.output,
                        read_options({request.asset_root, request.max_memory}, request.input)};
    read_back(*staged, from, [&](const Document& written) {
      Findings repeated;
      verify_written(p.scene, weights, scene_of(written, p.found, repeated, {.attributes = false}));
    });
  });
  StagedFiles* const outputs[] = {beside, &*staged};
  commit_together(outputs);
}

/// What the weighing counted, after the stages of our own before it.
void take_statistics(const PreparedBind& p, const BindStatistics& own, SceneBinding& binding,
                     BindOutcome& outcome) {
  outcome.statistics = std::move(binding.statistics);
  outcome.statistics.stages.insert(outcome.statistics.stages.begin(), own.stages.begin(),
                                   own.stages.end());
  const std::vector<std::size_t> vertices = joint_vertices(p.scene, binding.weights);
  for (std::size_t j = 0; j < vertices.size(); ++j)
    if (p.scene.joints[j].deforms) outcome.joint_vertices.push_back(vertices[j]);
}

void judge(const PreparedBind& p, const SceneWeights& weights, BindOutcome& outcome,
           Findings& findings) {
  outcome.judgement =
      timed(outcome.statistics, "judge", [&] { return judge_bind(p.scene, weights); });
  for (const Finding& dead : outcome.judgement->findings)
    if (dead.code == "dead-joint")
      std::erase_if(findings, [&](const Finding& finding) {
        return finding.code == "joint-without-vertices" && finding.pointer == dead.pointer;
      });
  findings.insert(findings.end(), outcome.judgement->findings.begin(),
                  outcome.judgement->findings.end());
}

/// The distances on their way to their file.
std::unique_ptr<StagedFiles> staged_field(const BindRequest& request, DistanceCache kept,
                                          BindStatistics& statistics) {
  if (kept.solids.empty())
    throw Error(
        ErrorKind::cannot_bind,
        request.input.string() + ": nothing of it is bound, so there are no distances to keep");
  return timed(statistics, "keep", [&] {
    return std::make_unique<StagedFiles>(std::vector<EncodedFile>{{"", encode_field(kept)}},
                                         request.keep.file,
                                         WriteOptions{.overwrite = request.overwrite});
  });
}

/// Embeds a template as `gvbind rig` does when it is told no more.
std::function<Scene(const Scene& bare, Findings& findings)> skeleton_maker(
    const BindSettings& settings, const fs::path& input) {
  if (!settings.skeleton.empty())
    throw Error(ErrorKind::usage, "--rig and --skeleton each give the joints; use one of them");
  return [name = settings.rig, limits = ReadLimits{settings.asset_root, 0}, input](
             const Scene& bare, Findings& findings) {
    const NamedTemplate from = open_template(name, limits);
    return naming(input, [&] {
      return made_skeleton(bare, from, JointNames::gvbind, {}, {}, findings).scene;
    });
  };
}

}  // namespace

BindRequest request_of(const BindSettings& settings, const fs::path& input,
                       const fs::path& output) {
  BindRequest request;
  request.input = input;
  request.output = output;
  request.skeleton = settings.skeleton;
  request.skeleton_scale = settings.skeleton_scale;
  request.selection = settings.selection;
  request.options = settings.options;
  request.options.max_influences = influences_of(settings);
  request.target = settings.target;
  request.rules = settings.rules;
  request.auto_resolution = settings.auto_resolution;
  request.volume = settings.volume;
  if (!settings.rig.empty()) request.make_skeleton = skeleton_maker(settings, input);
  request.own_joints_first = true;
  request.refine = settings.refine;
  request.existing = settings.existing;
  request.skinning = settings.skinning;
  request.skinning_file = settings.skinning_file;
  request.asset_root = settings.asset_root;
  request.overwrite = settings.force;
  return request;
}

MeshWeights existing_weights(const BindOutcome& outcome) {
  for (const MeshWeights fate : {MeshWeights::replaced, MeshWeights::filled, MeshWeights::kept})
    for (const BoundMesh& mesh : outcome.meshes)
      if (mesh.existing == fate) return fate;
  return MeshWeights::none;
}

int planned_resolution(const BindRequest& request) {
  if (!request.auto_resolution) return request.options.resolution;
  const std::uint64_t limit = memory_limit(request.max_memory);
  constexpr ResolutionOptions limits;
  return finest_within(asset_size(request.input, request.skeleton, limits.most).file_bytes, limit,
                       limits.least, limits.most);
}

BindOutcome bind_file(const BindRequest& request, const Progress& progress) {
  const auto report = [&](const char* stage, double done) {
    if (progress) progress(stage, done);
  };
  check_output(request);
  check_field(request);
  BindStatistics own;
  Findings findings;
  report("read", 0.0);
  PreparedBind p = timed(own, "read", [&] { return prepare_bind(request, findings); });
  const std::optional<SkinningPlan> skinning = plan_skinning(request, p);
  BindOptions options = request.options;
  options.gpu = &egl_voxelizer();
  options.rules = p.rules;
  const bool binds = p.existing.binds(p.scene);
  std::vector<Character> characters;
  const DistanceCache* const known = request.kept ? request.kept.get() : request.from_field.get();
  if (known) options.resolution = known->resolution;
  if (request.auto_resolution && binds && !known && !request.from_cells) {
    SceneResolution taken =
        timed(own, "resolution", [&] { return take_resolution(request, p, findings); });
    options.resolution = taken.resolution;
    characters = std::move(taken.characters);
  }
  BindOutcome outcome = describe(p);
  outcome.resolution = options.resolution;
  if (request.dry_run) {
    outcome.findings = std::move(findings);
    return outcome;
  }

  DistanceCache kept{request.keep.input, request.keep.options, options.resolution, {}};
  const bool keeps = !request.keep.file.empty();
  SceneBinding binding =
      weigh(request, p, options, characters, {keeps ? &kept.solids : nullptr, request.kept.get()},
            [&](const char* stage, double done) { report(stage, 0.1 + 0.7 * done); });
  take_statistics(p, own, binding, outcome);
  for (Finding& finding : binding.findings) findings.push_back(std::move(finding));
  report_node_pose(p, binding.weights, findings);

  if (binds && !request.kept) {
    report("judge", 0.82);
    judge(p, binding.weights, outcome, findings);
  }
  report("write", 0.85);
  // What nothing is patched in is written with the bytes that it has.
  if (p.built || p.existing.binds(p.scene))
    timed(outcome.statistics, "patch", [&] {
      naming(request.input, [&] { patch_skin(p.document, p.scene, binding.weights); });
      if (skinning) apply_skinning(*skinning, binding.weights, p);
    });
  const auto field = keeps ? staged_field(request, std::move(kept), outcome.statistics) : nullptr;
  write_checked(request, p, binding.weights, field.get(), outcome, findings);
  report("done", 1.0);
  outcome.findings = std::move(findings);
  return outcome;
}

Scene bound_scene(const BindRequest& request) {
  Findings findings;
  PreparedBind p = prepare_bind(request, findings);
  BindOptions options = request.options;
  options.gpu = &egl_voxelizer();
  options.rules = p.rules;
  if (request.kept) options.resolution = request.kept->resolution;
  SceneBinding binding = weigh(request, p, options, {}, {nullptr, request.kept.get()}, {});
  for (std::size_t m = 0; m < p.scene.meshes.size(); ++m)
    if (!binding.weights.meshes[m].empty())
      p.scene.meshes[m].weights = std::move(binding.weights.meshes[m]);
  return std::move(p.scene);
}

}  // namespace gvbind
