#include "transfer/garment_files.h"

#include <algorithm>
#include <climits>
#include <map>
#include <system_error>
#include <utility>

#include "bind/asset_limits.h"
#include "bind/checked_write.h"
#include "bind/false_vrm.h"
#include "bind/option_ranges.h"
#include "bind/overwriting.h"
#include "bind/write_document.h"
#include "character/match_joints.h"
#include "character/selection.h"
#include "character/skeleton_units.h"
#include "check/judge_bind.h"
#include "formats/convert/place_imported.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/finding_codes.h"
#include "io/atomic_write.h"
#include "io/glob.h"
#include "transfer/garment_bind.h"
#include "transfer/garment_units.h"
#include "transfer/transfer_weights.h"

namespace gvbind::transfer {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_transfer(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

bool overwrites(const TransferRequest& request) {
  return request.options.overwrite == Asset::Overwrite::yes;
}

std::vector<bool> meshes_named(const std::vector<std::string>& globs, const InputFile& file,
                               const char* flag) {
  std::vector<bool> chosen(file.scene.meshes.size(), false);
  std::vector<std::string> names;
  for (const SceneMesh& mesh : file.scene.meshes) names.push_back(mesh.name);
  for (const std::string& glob : globs) {
    bool found = false;
    for (std::size_t m = 0; m < names.size(); ++m)
      if (names[m] == glob || matches_glob(glob, names[m])) found = chosen[m] = true;
    if (!found)
      refuse_transfer(std::string(flag) + ": '" + glob + "' is neither a file nor a mesh of " +
                      file.path + nearest_name_hint(glob, names));
  }
  return chosen;
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The garment's document gets the body's joints where it has none.
void add_body_joints(const InputFile& body, Garment& garment, bool built) {
  InputFile& file = garment.file;
  if (!file.scene.joints.empty()) return;
  Findings ignored;
  Scene skeleton = naming(
      file.path, [&] { return skeleton_in_units(body.scene, file.scene, garment.findings); });
  if (!built)
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
      skeleton.joints[j].deforms = body.scene.joints[j].deforms;
  naming(file.path, [&] { add_joints(file.document, skeleton); });
  garment.found = {};
  for (const SceneJoint& joint : skeleton.joints)
    if (joint.parent < 0) garment.found.roots.push_back(joint.name);
  file.scene = scene_of(file.document, garment.found, ignored, {.attributes = false});
}

/// As read_to_patch(), with the findings of the reader.
InputFile read_garment(const std::string& path, const ReadLimits& limits, Findings& findings) {
  InputFile file{path, read_document(path, findings, read_options(limits, path)), {}};
  check_sidecars(file.document);
  file.scene =
      naming(path, [&] { return scene_of(file.document, {}, findings, {.attributes = false}); });
  if (file.scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, path + ": holds no mesh");
  return file;
}

/// Writes a garment of another format as glTF or FBX, with its materials and pictures.
void build_garment(const InputFile& body, const ReadLimits& limits, Garment& garment) {
  InputFile& file = garment.file;
  DroppedFeatures dropped;
  Findings found;  // the reader of the scene reported some of them
  Conversion made = convert_imported(file.path, garment.output,
                                     {.reading = read_options(limits, file.path)}, dropped, found);
  for (Finding& finding : found)
    if (std::ranges::none_of(garment.findings, [&](const Finding& known) {
          return known.code == finding.code && known.message == finding.message;
        }))
      garment.findings.push_back(std::move(finding));
  if (!dropped.empty())
    garment.findings.push_back({Severity::warning, "format-changed",
                                "another format than the garment's; lost: " + dropped.text(), ""});
  if (!file.scene.units.known && file.scene.joints.empty()) {
    const Eigen::Affine3d moved = garment_to_meters(body.scene, file.scene, garment.findings);
    DroppedFeatures repeated;
    if (!moved.isApprox(Eigen::Affine3d::Identity()))
      place_imported(moved, garment.output, repeated, made);
  }
  file.document = std::move(made.document);
  file.scene = scene_of(file.document, {}, found, {.attributes = false});
}

Garment open_garment(const TransferRequest& request, const InputFile& body, const std::string& path,
                     const std::string& output) {
  const ReadLimits limits = limits_of(request.options.reading);
  Garment garment;
  garment.output = output;
  garment.file = read_garment(path, limits, garment.findings);
  InputFile& file = garment.file;
  refuse_false_vrm(file.document, path, output);
  const bool built = !same_format(file.document, output);
  if (built) {
    if (!std::holds_alternative<Scene>(file.document))
      refuse_transfer("--output: '" + output + "' is of another format than " + path +
                      "; a transfer keeps the garment's");
    naming(path, [&] { build_garment(body, limits, garment); });
  }
  add_body_joints(body, garment, built);
  garment.meshes.assign(file.scene.meshes.size(), true);
  return garment;
}

std::string output_of(const TransferRequest& request, const std::string& input, bool several) {
  std::error_code ignored;
  const bool folder = request.output.ends_with('/') || fs::is_directory(request.output, ignored);
  if (several && !folder)
    refuse_transfer("--output: '" + request.output +
                    "' is no folder, and garments of several files need one; DIR/ makes it");
  std::string path = request.output;
  if (folder) {
    path = path_text(fs::path(request.output) / fs::path(input).filename());
    if (!is_written(path)) path += ".glb";
  }
  check_new_output(path, overwrites(request),
                   ".fbx, .glb, .gltf or .vrm, or end it with '/' for a folder");
  return path;
}

/// Garments of the body's own file together, and each file for itself.
std::vector<Garment> open_garments(const TransferRequest& request, const InputFile& body) {
  std::vector<std::string> own, files;
  for (const std::string& garment : request.garments)
    (is_file(garment) ? files : own).push_back(garment);
  const bool several = files.size() + (own.empty() ? 0 : 1) > 1;
  std::vector<Garment> garments;
  std::map<std::string, std::string> input_of;
  const auto claim = [&](const std::string& input) {
    const std::string output = output_of(request, input, several);
    const auto [same, is_new] = input_of.emplace(fold_case(output), input);
    if (!is_new)
      refuse_transfer("two garments would be written to " + output + ": " + same->second + " and " +
                      input);
    refuse_other_input(output, input, body.path, "the body");
    for (const std::string& file : files)
      refuse_other_input(output, input, file, "another garment");
    return output;
  };
  if (!own.empty()) {
    Garment garment{.file = body,
                    .meshes = meshes_named(own, body, "--to"),
                    .in_body = true,
                    .output = claim(body.path),
                    .findings = {}};
    if (!same_format(garment.file.document, garment.output))
      refuse_transfer("--output: '" + garment.output + "' is of another format than " + body.path +
                      "; a transfer keeps the garment's");
    garments.push_back(std::move(garment));
  }
  for (const std::string& file : files)
    garments.push_back(open_garment(request, body, file, claim(file)));
  return garments;
}

std::vector<bool> select_body(const TransferRequest& request, const TransferFiles& files) {
  const InputFile& body = files.body;
  std::vector<bool> chosen(body.scene.meshes.size(), true);
  if (!request.options.body_meshes.empty())
    chosen = meshes_named(request.options.body_meshes, body, "--body");
  for (const Garment& garment : files.garments)
    for (std::size_t m = 0; m < chosen.size() && garment.in_body; ++m)
      if (garment.meshes[m]) chosen[m] = false;
  for (std::size_t m = 0; m < chosen.size(); ++m)
    chosen[m] = chosen[m] && !body.scene.meshes[m].weights.empty();
  if (std::ranges::count(chosen, true) == 0)
    throw Error(ErrorKind::cannot_bind,
                body.path + ": no mesh with a skin is left to take weights from; bind it first");
  return chosen;
}

/// A warning for each mesh of which less than half has the body beneath.
void report_far_meshes(const std::string& body, TransferredFile& written) {
  for (const TransferredMesh& mesh : written.meshes) {
    const std::size_t count = mesh.copied + mesh.inpainted;
    if (2 * mesh.near >= count) continue;
    std::string text = "mesh '" + mesh.name + "': " + grouped(mesh.near) + " of " +
                       counted(count, "vertex", "vertices") + " have " + body + " beneath, and " +
                       grouped(mesh.copied) + " its weights; ";
    text += mesh.by_bind
                ? "the others have those of a bind of both"
                : "the others continue from the body's nearest points, since a bind is far from "
                  "the body's weights; look at them in a pose";
    written.findings.push_back({Severity::warning, "garment-off-body", text, mesh.name});
  }
}

/// As the outcome of a bind is judged. A garment alone leaves most joints of a body idle.
void judge_garment(const Garment& garment, const SceneWeights& weights, Findings& findings) {
  for (Finding& finding : check::judge_bind(garment.file.scene, weights).findings)
    if (finding.code != finding::dead_joint && finding.code != finding::worse_than_before)
      findings.push_back(std::move(finding));
}

void write_checked_garment(const TransferRequest& request, Garment& garment,
                           const SceneWeights& weights) {
  InputFile& file = garment.file;
  naming(file.path, [&] { patch_skin(file.document, file.scene, weights); });
  const ReadOptions reading = read_options(limits_of(request.options.reading), file.path);
  WriteOptions writing = overwriting(garment.output, overwrites(request));
  writing.create_directories = request.output.ends_with('/');
  write_checked(file.document, {file.scene, weights, garment.found},
                {file.path, garment.output, reading}, writing);
}

}  // namespace

TransferFiles read_transfer(const TransferRequest& request) {
  TransferFiles files;
  files.body = read_to_patch(path_text(request.body), limits_of(request.options.reading));
  files.garments = open_garments(request, files.body);
  files.body_meshes = select_body(request, files);
  return files;
}

JointMatch match_garment(const InputFile& body, const Garment& garment) {
  JointMatch match{match_joints(body.scene.joints, garment.file.scene.joints), {}};
  std::vector<int>& joint_of = match.joint_of;
  if (std::ranges::all_of(joint_of, [](int joint) { return joint < 0; }))
    throw Error(ErrorKind::cannot_bind,
                garment.file.path + ": none of its joints has the name of one of " + body.path);
  for (std::size_t j = 0; j < joint_of.size(); ++j) {
    if (joint_of[j] >= 0) continue;
    const SceneJoint& joint = body.scene.joints[j];
    if (joint.parent >= 0) joint_of[j] = joint_of[joint.parent];
    if (joint.deforms) match.unmatched.push_back(joint.name);
  }
  return match;
}

TransferredFile write_garment(const TransferRequest& request, const TransferFiles& files,
                              const JointMatch& match, Garment& garment) {
  const Scene& scene = garment.file.scene;
  const Eigen::Affine3d to_garment = garment.in_body
                                         ? Eigen::Affine3d::Identity()
                                         : change_of_units(files.body.scene.units, scene.units);
  const WeightedSurface surface(files.body.scene, files.body_meshes, to_garment, match.joint_of);
  if (surface.empty())
    throw Error(ErrorKind::cannot_bind, files.body.path + ": its skin has no triangles");
  TransferredFile written{garment.file.path, garment.output, {}, match.unmatched, garment.findings};
  const std::optional<GarmentBind> bound =
      request.options.weights.fill_by_bind
          ? bind_garment(scene, garment.meshes, files.body.scene, files.body_meshes, to_garment,
                         garment.in_body)
          : std::nullopt;
  const std::vector<double> error =
      bound ? surface.distance_to(bound->body) : std::vector<double>();
  SceneWeights weights;
  weights.meshes.resize(scene.meshes.size());
  for (std::size_t m = 0; m < weights.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!garment.meshes[m]) continue;
    TransferredWeights rows = naming(garment.file.path, [&] {
      if (!bound) return transfer_weights(surface, mesh, request.options.weights);
      const BoundRows rows_of_bind{bound->garment[m], error};
      return transfer_weights(surface, mesh, request.options.weights, &rows_of_bind);
    });
    weights.meshes[m] = std::move(rows.weights);
    written.meshes.push_back({mesh.name, rows.copied, rows.inpainted, rows.near, rows.by_bind});
  }
  report_far_meshes(files.body.path, written);
  judge_garment(garment, weights, written.findings);
  write_checked_garment(request, garment, weights);
  return written;
}

std::vector<TransferredFile> transfer_files(const fs::path& body,
                                            const std::vector<std::string>& garments,
                                            const std::string& output,
                                            const TransferFileOptions& options) {
  require_range("distance", options.weights.distance, 0, 10);
  require_range("angle", options.weights.angle, 0, 180);
  require_range("spread", options.weights.spread, 0.001, 1000);
  require_range("max-influences", options.weights.max_influences, 0, INT_MAX);
  const TransferRequest request{body, garments, output, options};
  TransferFiles files = read_transfer(request);
  std::vector<TransferredFile> written;
  for (Garment& garment : files.garments)
    written.push_back(write_garment(request, files, match_garment(files.body, garment), garment));
  return written;
}

}  // namespace gvbind::transfer
