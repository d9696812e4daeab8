#include "bind_file.h"

#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "assets/document.h"
#include "assets/node_transforms.h"
#include "assets/retarget.h"
#include "assets/scene_resolution.h"
#include "assets/selection.h"
#include "assets/skeleton_fit.h"
#include "assets/verify.h"
#include "assets/write.h"
#include "check/node_pose.h"
#include "gvbind/error.h"
#include "gvbind/peak_memory.h"
#include "memory_estimate.h"
#include "memory_limit.h"

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

/// Puts the file before an error that came from a stage, which knows no files.
template <typename Step>
auto naming(const fs::path& path, Step&& step) {
  try {
    return step();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.rfind(path.string(), 0) == 0) throw;
    throw Error(error.kind(), path.string() + ": " + message);
  }
}

[[noreturn]] void nothing_to_bind(const BindRequest& request, const char* what) {
  throw NothingToBind(request.input.string() + ": " + what);
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

/// Where the folder is there already, or has to be.
void check_folder(const BindRequest& request) {
  const fs::path named = request.output.parent_path();
  const fs::path folder = named.empty() ? "." : named;
  std::error_code ignored;
  if (request.create_folders && !fs::exists(folder, ignored)) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::output, request.output.string() + ": " + why);
  };
  if (!fs::exists(folder, ignored))
    refuse("there is no folder '" + folder.string() + "'; create it first, or give '" +
           folder.string() + "/' as the output");
  if (!fs::is_directory(folder, ignored)) refuse("'" + folder.string() + "' is not a folder");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse("cannot write in '" + folder.string() + "': " + std::generic_category().message(errno));
}

/// What would make the work useless is said before the work.
void check_output(const BindRequest& request) {
  check_path_length(request.output);
  check_format(request);
  check_folder(request);
  std::error_code ignored;
  const std::string name = request.output.string();
  if (!request.overwrite && same_file(request.input, request.output))
    throw Error(ErrorKind::output, name + ": is the input itself; --force overwrites it");
  if (!request.overwrite && fs::exists(request.output, ignored))
    throw Error(ErrorKind::output, name + ": exists already; --force overwrites it");
  if (fs::is_directory(request.output, ignored))
    throw Error(ErrorKind::output, name + ": is a folder");
}

double scale_of(const BindRequest& request, const std::vector<SceneJoint>& joints,
                const Scene& scene) {
  return request.skeleton_scale.automatic ? fitting_scale(joints, scene)
                                          : request.skeleton_scale.factor;
}

std::string factor_text(double factor) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", factor);
  return text.data();
}

/// Takes the joints of another file into the document and returns a selection that finds them
/// there.
Selection take_skeleton(const BindRequest& request, Document& document, const Scene& bare,
                        std::vector<std::string>& sidecars, Findings& findings) {
  if (!bare.joints.empty()) {
    std::string names;
    for (std::size_t j = 0; j < std::min<std::size_t>(bare.joints.size(), 3); ++j)
      names += (j ? ", " : "") + bare.joints[j].name;
    throw Error(ErrorKind::input, request.input.string() + ": has " +
                                      std::to_string(bare.joints.size()) + " joints of its own (" +
                                      names + (bare.joints.size() > 3 ? ", ..." : "") +
                                      "); --skeleton is for a file without");
  }
  const Document source =
      read_document(request.skeleton, findings,
                    read_options({request.asset_root, request.max_memory}, request.skeleton));
  sidecars = sidecars_of(source);
  Scene skeleton = naming(request.skeleton, [&] {
    const Scene given = scene_of(source, {}, findings, {.weights = false, .attributes = false});
    if (given.joints.empty()) throw Error(ErrorKind::cannot_bind, "holds no joints");
    return retarget_skeleton(given, bare, findings);
  });
  const double scale = scale_of(request, skeleton.joints, bare);
  scale_joints(skeleton.joints, scale);
  if (scale != 1.0)
    findings.push_back({Severity::note, "skeleton-scaled",
                        "the skeleton is scaled by " + factor_text(scale) + " about the origin",
                        ""});
  naming(request.input, [&] { add_joints(document, skeleton); });
  Selection found = request.selection;
  found.roots.clear();
  for (const SceneJoint& joint : skeleton.joints)
    if (joint.parent < 0) found.roots.push_back(joint.name);
  return found;
}

/// The scene in the format of the output. What the scene gets wrong is the input's fault.
Document converted(const BindRequest& request, const Scene& scene) {
  try {
    return build_document(scene, request.output);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw Error(error.kind(), request.input.string() + ": " + error.what());
  }
}

/// Gives the meshes of a converted scene the weights that they had in its source.
void carry_weights(const Scene& source, Scene& converted) {
  std::vector<int> joint_of(source.joints.size(), -1);
  for (std::size_t j = 0; j < source.joints.size() && j < converted.joints.size(); ++j)
    if (source.joints[j].name == converted.joints[j].name) joint_of[j] = static_cast<int>(j);
  if (std::ranges::count(joint_of, -1) > 0) return;
  auto mesh = source.meshes.begin();
  for (SceneMesh& to : converted.meshes) {
    mesh = std::find_if(mesh, source.meshes.end(), [&](const SceneMesh& from) {
      return from.name == to.name && from.positions.size() == to.positions.size();
    });
    if (mesh == source.meshes.end()) return;
    to.skin_joints = mesh->skin_joints;
    to.weights = mesh->weights;
    to.damaged_weights = mesh->damaged_weights;
    ++mesh;
  }
}

/// The document that becomes the output, and what is bound of it.
struct Prepared {
  Document document;
  Scene scene;                             ///< with the weights that the input had
  Selection found;                         ///< what finds the same joints again in the output
  std::vector<SceneJoint> weighed_joints;  ///< the scene's, as scaled for the weighing
  bool built = false;  ///< the document was built from the scene, and so has no weights
  ExistingPlan existing;
  std::vector<std::string> input_sidecars, skeleton_sidecars;
};

/// Scales the joints for the weighing where they are the input's own, and refuses a skeleton whose
/// size cannot be meant.
void fit_own_skeleton(const BindRequest& request, Prepared& p, Findings& findings) {
  p.weighed_joints = p.scene.joints;
  const bool own = request.skeleton.empty();
  const double scale = own ? scale_of(request, p.scene.joints, p.scene) : 1.0;
  scale_joints(p.weighed_joints, scale);
  if (scale != 1.0)
    findings.push_back(
        {Severity::warning, "skeleton-scaled",
         "weighed as if the skeleton were " + factor_text(scale) +
             " times as large, about the origin; its joints stay where they are in the file, so "
             "the mesh bends there: scale them in the tool that made the file",
         ""});
  std::swap(p.scene.joints, p.weighed_joints);
  naming(request.input, [&] { require_fit(p.scene); });
  std::swap(p.scene.joints, p.weighed_joints);
}

Prepared prepare(const BindRequest& request, Findings& findings) {
  Prepared p;
  p.document = read_document(request.input, findings,
                             read_options({request.asset_root, request.max_memory}, request.input));
  check_sidecars(p.document);
  p.found = request.selection;
  p.input_sidecars = sidecars_of(p.document);
  constexpr SceneParts bare = {.weights = false, .attributes = false};
  // What is patched keeps its attributes itself.
  const SceneParts parts = {.attributes = !same_format(p.document, request.output)};
  p.scene = naming(request.input, [&] { return scene_of(p.document, p.found, findings, parts); });
  if (!same_format(p.document, request.output)) {
    const bool foreign = std::holds_alternative<Scene>(p.document);
    p.document = converted(request, p.scene);
    p.built = true;
    if (!foreign)
      findings.push_back(
          {Severity::warning, "format-changed",
           "another format than the input's: only meshes, joints, base colors and the "
           "skin are carried over",
           ""});
    p.found = {};
    for (const SceneJoint& joint : p.scene.joints)
      if (joint.parent < 0) p.found.roots.push_back(joint.name);
    const Scene source = std::exchange(p.scene, scene_of(p.document, p.found, findings, bare));
    carry_weights(source, p.scene);
  }
  if (!request.skeleton.empty()) {
    p.found = take_skeleton(request, p.document, p.scene, p.skeleton_sidecars, findings);
    p.scene = scene_of(p.document, p.found, findings, bare);
  }
  if (p.scene.meshes.empty()) nothing_to_bind(request, "holds no mesh");
  if (p.scene.joints.empty())
    nothing_to_bind(request, "holds no joints; --skeleton takes them from another file");
  naming(request.input, [&] { apply_selection(p.scene, request.selection); });
  p.existing = plan_existing(p.scene, request.existing, findings);
  if (p.existing.binds(p.scene)) fit_own_skeleton(request, p, findings);
  return p;
}

/// The least resolution that holds the meshes' finest features, as far as memory goes.
int take_resolution(const BindRequest& request, const Scene& scene, Findings& findings) {
  const SceneResolution advised =
      naming(request.input, [&] { return resolution_of(scene, request.options, request.volume); });
  const int taken = std::min(advised.resolution, planned_resolution(request));
  std::string message = std::to_string(taken) + ": " + advised.why;
  if (taken < advised.resolution)
    message += std::string("; limited by ") +
               (request.max_memory > 0 ? "--max-memory" : "the machine's memory") + ", " +
               std::to_string(advised.resolution) + " was wanted";
  findings.push_back({Severity::note, "resolution", message, ""});
  return taken;
}

BindOutcome describe(const Prepared& p) {
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
SceneBinding weigh(const BindRequest& request, Prepared& p, const BindOptions& options,
                   const Progress& progress) {
  SceneBinding binding;
  if (p.existing.binds(p.scene)) {
    std::swap(p.scene.joints, p.weighed_joints);
    binding = naming(request.input,
                     [&] { return bind_scene(p.scene, options, request.volume, progress); });
    std::swap(p.scene.joints, p.weighed_joints);
  } else {
    binding.weights.meshes.resize(p.scene.meshes.size());
    binding.statistics.device = "none";
  }
  apply_existing(p.scene, p.existing, p.built, binding.weights);
  return binding;
}

/// The new skin, and what is kept, in the pose that the nodes hold.
void report_node_pose(const Prepared& p, const SkinWeights& weights, Findings& findings) {
  std::vector<const VertexWeights*> rows;
  for (std::size_t m = 0; m < weights.meshes.size(); ++m)
    rows.push_back(weights.meshes[m].empty() ? nullptr : &weights.meshes[m]);
  for (Finding& finding : node_pose_findings(p.scene, rows, node_transforms(p.document, p.scene)))
    findings.push_back(std::move(finding));
}

/// A document beside its input goes on naming the input's files.
ReadOptions read_back_options(const BindRequest& request, const StagedFiles& staged) {
  ReadOptions options = read_options({request.asset_root, request.max_memory}, request.input);
  const fs::path folder = request.output.parent_path();
  options.future_folder = folder.empty() ? "." : folder;
  widen(options.root, options.future_folder);
  widen(options.root, staged.staged_main().parent_path());
  return options;
}

/// Writes under a temporary name, reads that back and compares before the output gets its name.
void write_checked(const BindRequest& request, const Prepared& p, const SkinWeights& weights,
                   BindOutcome& outcome, Findings& findings) {
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
                   WriteOptions{request.overwrite, request.create_folders, request.staging_name,
                                request.why_keep});
  });
  timed(outcome.statistics, "verify", [&] {
    naming(request.output, [&] {
      Findings repeated;  // what reading has to say was said of the input already
      const Document written =
          read_document(staged->staged_main(), repeated, read_back_options(request, *staged));
      verify_written(p.scene, weights, scene_of(written, p.found, repeated, {.attributes = false}));
    });
  });
  staged->commit();
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
  request.auto_resolution = settings.auto_resolution;
  request.volume = settings.volume;
  request.existing = settings.existing;
  request.asset_root = settings.asset_root;
  request.overwrite = settings.force;
  return request;
}

const char* existing_weights(const BindOutcome& outcome) {
  for (const MeshWeights fate : {MeshWeights::replaced, MeshWeights::filled, MeshWeights::kept})
    for (const BoundMesh& mesh : outcome.meshes)
      if (mesh.existing == fate) return name_of(fate);
  return name_of(MeshWeights::none);
}

int planned_resolution(const BindRequest& request) {
  if (!request.auto_resolution) return request.options.resolution;
  const std::uint64_t limit = memory_limit(request.max_memory);
  constexpr ResolutionOptions limits;
  return finest_within(asset_size(request.input, request.skeleton, limits.most).file_bytes, limit,
                       limits.least, limits.most);
}

BindOutcome bind_file(const BindRequest& request, const Progress& progress) {
  const auto tell = [&](const char* stage, double done) {
    if (progress) progress(stage, done);
  };
  check_output(request);
  BindStatistics own;
  Findings findings;
  tell("read", 0.0);
  Prepared p = timed(own, "read", [&] { return prepare(request, findings); });
  BindOptions options = request.options;
  const bool binds = p.existing.binds(p.scene);
  if (request.auto_resolution && binds)
    options.resolution =
        timed(own, "resolution", [&] { return take_resolution(request, p.scene, findings); });
  BindOutcome outcome = describe(p);
  outcome.resolution = options.resolution;
  if (request.dry_run) {
    outcome.findings = std::move(findings);
    return outcome;
  }

  SceneBinding binding = weigh(
      request, p, options, [&](const char* stage, double done) { tell(stage, 0.1 + 0.7 * done); });
  outcome.statistics = std::move(binding.statistics);
  outcome.statistics.stages.insert(outcome.statistics.stages.begin(), own.stages.begin(),
                                   own.stages.end());
  const std::vector<std::size_t> vertices = joint_vertices(p.scene, binding.weights);
  for (std::size_t j = 0; j < vertices.size(); ++j)
    if (p.scene.joints[j].deforms) outcome.joint_vertices.push_back(vertices[j]);
  for (Finding& finding : binding.findings) findings.push_back(std::move(finding));
  report_node_pose(p, binding.weights, findings);

  if (binds) {
    tell("judge", 0.82);
    outcome.judgement =
        timed(outcome.statistics, "judge", [&] { return judge_bind(p.scene, binding.weights); });
    findings.insert(findings.end(), outcome.judgement->findings.begin(),
                    outcome.judgement->findings.end());
  }
  tell("write", 0.85);
  // What nothing is patched in is written with the bytes that it has.
  if (p.built || p.existing.binds(p.scene))
    timed(outcome.statistics, "patch", [&] {
      naming(request.input, [&] { patch_skin(p.document, p.scene, binding.weights); });
    });
  write_checked(request, p, binding.weights, outcome, findings);
  tell("done", 1.0);
  outcome.findings = std::move(findings);
  return outcome;
}

}  // namespace gvbind
