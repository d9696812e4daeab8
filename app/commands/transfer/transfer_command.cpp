// Tested by tests/command/transfer_test.py.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bind/checked_write.h"
#include "bind/input_file.h"
#include "bind/write_document.h"
#include "character/match_joints.h"
#include "character/retarget.h"
#include "character/selection.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "common/console.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/glob.h"
#include "transfer/transfer_weights.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct TransferCommand : FileCommand {
  std::string body, output;
  std::vector<std::string> garments;     ///< files, or globs of meshes of the body's file
  std::vector<std::string> body_meshes;  ///< globs; empty: all with a skin but the garments
  TransferOptions options;
};

struct OpenFile : InputFile {
  Selection found = {};  ///< that finds the document's joints
};

/// What is made: a file whose meshes that are named true get weights.
struct TransferJob {
  OpenFile garment;
  std::vector<bool> meshes;
  bool in_body = false;  ///< the garment is in the body's own file
  std::string output;
};

[[noreturn]] void refuse_transfer(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

std::vector<bool> meshes_named(const std::vector<std::string>& globs, const OpenFile& file,
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
void take_joints(const OpenFile& body, OpenFile& garment, bool built) {
  if (!garment.scene.joints.empty()) return;
  Findings ignored;
  Scene skeleton =
      naming(garment.path, [&] { return retarget_skeleton(body.scene, garment.scene, ignored); });
  if (!built)
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
      skeleton.joints[j].deforms = body.scene.joints[j].deforms;
  naming(garment.path, [&] { add_joints(garment.document, skeleton); });
  garment.found = {};
  for (const SceneJoint& joint : skeleton.joints)
    if (joint.parent < 0) garment.found.roots.push_back(joint.name);
  garment.scene = scene_of(garment.document, garment.found, ignored, {.attributes = false});
}

OpenFile open_garment(const TransferCommand& command, const OpenFile& body, const std::string& path,
                      const std::string& output) {
  OpenFile garment{read_to_patch(path, command.limits, true)};
  const bool built = !same_format(garment.document, output);
  if (built) {
    if (!std::holds_alternative<Scene>(garment.document))
      refuse_transfer("--output: '" + output + "' is of another format than " + path +
                      "; a transfer keeps the garment's");
    garment.document = naming(path, [&] { return build_document(garment.scene, output); });
    Findings ignored;
    garment.scene = scene_of(garment.document, {}, ignored, {.attributes = false});
  }
  take_joints(body, garment, built);
  return garment;
}

std::string output_of(const TransferCommand& command, const std::string& input, bool several) {
  std::error_code ignored;
  const bool folder = command.output.ends_with('/') || fs::is_directory(command.output, ignored);
  if (several && !folder)
    refuse_transfer("--output: '" + command.output +
                    "' is no folder, and garments of several files need one; DIR/ makes it");
  std::string path = command.output;
  if (folder) {
    path = (fs::path(command.output) / fs::path(input).filename()).string();
    if (!is_written(path)) path += ".glb";
  }
  check_new_output(path, command.force,
                   ".fbx, .glb, .gltf or .vrm, or end it with '/' for a folder");
  return path;
}

/// Garments of the body's own file together, and each file for itself.
std::vector<TransferJob> jobs_of(const TransferCommand& command, const OpenFile& body) {
  std::vector<std::string> own, files;
  for (const std::string& garment : command.garments)
    (is_file(garment) ? files : own).push_back(garment);
  const bool several = files.size() + (own.empty() ? 0 : 1) > 1;
  std::vector<TransferJob> jobs;
  std::map<std::string, std::string> input_of;
  const auto claim = [&](const std::string& input) {
    const std::string output = output_of(command, input, several);
    const auto [same, is_new] = input_of.emplace(fold_case(output), input);
    if (!is_new)
      refuse_transfer("two garments would be written to " + output + ": " + same->second + " and " +
                      input);
    return output;
  };
  if (!own.empty()) {
    TransferJob job{body, meshes_named(own, body, "--to"), true, claim(body.path)};
    if (!same_format(job.garment.document, job.output))
      refuse_transfer("--output: '" + job.output + "' is of another format than " + body.path +
                      "; a transfer keeps the garment's");
    jobs.push_back(std::move(job));
  }
  for (const std::string& file : files) {
    const std::string output = claim(file);
    TransferJob job{open_garment(command, body, file, output), {}, false, output};
    job.meshes.assign(job.garment.scene.meshes.size(), true);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<bool> body_meshes(const TransferCommand& command, const OpenFile& body,
                              const std::vector<TransferJob>& jobs) {
  std::vector<bool> chosen(body.scene.meshes.size(), true);
  if (!command.body_meshes.empty()) chosen = meshes_named(command.body_meshes, body, "--body");
  for (const TransferJob& job : jobs)
    for (std::size_t m = 0; m < chosen.size() && job.in_body; ++m)
      if (job.meshes[m]) chosen[m] = false;
  for (std::size_t m = 0; m < chosen.size(); ++m)
    chosen[m] = chosen[m] && !body.scene.meshes[m].weights.empty();
  if (std::ranges::count(chosen, true) == 0)
    throw Error(ErrorKind::cannot_bind,
                body.path + ": no mesh with a skin is left to take weights from; bind it first");
  return chosen;
}

/// By joint of the body, that of the garment: of its name, else that of the nearest one above.
std::vector<int> garment_joints(const OpenFile& body, const TransferJob& job) {
  std::vector<int> match = match_joints(body.scene.joints, job.garment.scene.joints);
  if (std::ranges::all_of(match, [](int joint) { return joint < 0; }))
    throw Error(ErrorKind::cannot_bind,
                job.garment.path + ": none of its joints has the name of " + "one of " + body.path);
  std::string lost;
  std::size_t count = 0;
  for (std::size_t j = 0; j < match.size(); ++j) {
    if (match[j] >= 0) continue;
    const int parent = body.scene.joints[j].parent;
    if (parent >= 0) match[j] = match[static_cast<std::size_t>(parent)];
    if (!body.scene.joints[j].deforms) continue;
    if (++count <= 3) lost += (lost.empty() ? "" : ", ") + body.scene.joints[j].name;
  }
  if (count > 0)
    print_finding(Severity::warning, job.garment.path + ": has no namesakes of " +
                                         counted(count, "joint", "joints") + " of " + body.path +
                                         " (" + lost + (count > 3 ? ", ..." : "") +
                                         "); their weights go to the nearest joints above");
  return match;
}

void write_job(const TransferCommand& command, TransferJob& job, const SceneWeights& weights) {
  OpenFile& garment = job.garment;
  naming(garment.path, [&] { patch_skin(garment.document, garment.scene, weights); });
  write_checked(garment.document, {garment.scene, weights, garment.found},
                {garment.path, job.output, read_options(command.limits, garment.path)},
                {.overwrite = command.force, .create_directories = command.output.ends_with('/')});
}

void run_job(const TransferCommand& command, const OpenFile& body, const std::vector<bool>& worn,
             TransferJob& job) {
  const std::vector<int> joints = garment_joints(body, job);
  const Eigen::Affine3d to_garment =
      job.in_body ? Eigen::Affine3d::Identity()
                  : change_of_units(body.scene.units, job.garment.scene.units);
  const WeightedSurface surface(body.scene, worn, to_garment, joints);
  if (surface.empty())
    throw Error(ErrorKind::cannot_bind, body.path + ": its skin has no triangles");
  SceneWeights weights;
  weights.meshes.resize(job.garment.scene.meshes.size());
  std::vector<std::string> lines;
  for (std::size_t m = 0; m < weights.meshes.size(); ++m) {
    const SceneMesh& mesh = job.garment.scene.meshes[m];
    if (!job.meshes[m]) continue;
    const TransferredWeights made =
        naming(job.garment.path, [&] { return transfer_weights(surface, mesh, command.options); });
    weights.meshes[m] = made.weights;
    lines.push_back(job.output + ": " + mesh.name + ": " +
                    counted(made.copied, "vertex", "vertices") + " from the body, " +
                    grouped(made.inpainted) + " inpainted");
  }
  write_job(command, job, weights);
  for (const std::string& line : lines) print_line(stdout, line);
}

/// Returns the exit code of the process.
int run_transfer(const TransferCommand& command) {
  start_command(command);
  const OpenFile body{read_to_patch(command.body, command.limits)};
  std::vector<TransferJob> jobs = jobs_of(command, body);
  const std::vector<bool> worn = body_meshes(command, body, jobs);
  for (TransferJob& job : jobs) run_job(command, body, worn, job);
  return 0;
}

void add_transfer_options(CLI::App& app, TransferCommand& command) {
  app.add_option("--body", command.body_meshes,
                 "Take weights from these meshes of BODY only; may be repeated")
      ->type_name("GLOB");
  TransferOptions& options = command.options;
  add_number(app, "--max-distance,--distance", options.distance, 0, 10,
             "Largest distance from the body at which a vertex takes its weights, of the diagonal "
             "of the garment's box",
             "F");
  add_number(app, "--angle", options.angle, 0, 180,
             "Largest angle between its normal and the body's, in degrees", "DEG");
  add_number(app, "--spread,--hold", options.spread, 0.001, 1000,
             "Distance over which inherited and inpainted weights balance, of that diagonal", "F");
  add_text(app, "-n,--max-influences", "Joints per vertex, at most [4]", "N|all",
           [&command](const std::string& t) {
             command.options.max_influences = parse_max_influences(t);
           });
}

}  // namespace

Subcommand add_transfer(CLI::App& app) {
  const auto command = std::make_shared<TransferCommand>();
  CLI::App* transfer =
      app.add_subcommand("transfer", "Give garments the weights of the body that wears them");
  transfer->footer(
      "Examples:\n"
      "  gvbind transfer body.glb -t coat.glb -o coat_skinned.glb\n"
      "  gvbind transfer hero.fbx -t 'Coat*' -o hero_dressed.fbx\n"
      "  gvbind transfer body.glb -t coat.glb -t boots.glb -o out/");
  transfer->add_option("BODY", command->body, "A file with a skin")->required();
  transfer
      ->add_option("-t,--to", command->garments,
                   "A garment: a file, or a mesh of BODY by its name or a glob; may be repeated")
      ->required()
      ->type_name("FILE|GLOB");
  add_output(*transfer, command->output,
             "The garment's file with weights; a folder (DIR/) where there are several");
  add_transfer_options(*transfer, *command);
  add_run_options(*transfer, *command);
  add_force(*transfer, *command, "Overwrite the outputs");
  return {transfer, [command] { return run_transfer(*command); }};
}

}  // namespace gvbind
