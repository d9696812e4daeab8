// Tested by tests/command/pose_test.py.

#include <Eigen/Geometry>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bind/input_file.h"
#include "bind/overwriting.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/options.h"
#include "commands/pose/pose_option.h"
#include "commands/pose/volume_mask.h"
#include "commands/pose/volume_text.h"
#include "common/console.h"
#include "formats/clip.h"
#include "formats/gltf/bake_pose.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "io/file_io.h"
#include "motion/dual_quaternion.h"
#include "motion/pose_surface.h"
#include "motion/volume_correction.h"
#include "preview/preview.h"

namespace gvbind {

namespace {

enum class Skinning { linear, dual, volume };

struct PoseCommand : FileCommand {
  std::string input, output, clip, pose, mask;
  Skinning skinning = Skinning::linear;
};

void check_pose_command(const PoseCommand& command) {
  const std::string kind = lower_extension(command.output);
  if (kind != "glb" && kind != "gltf" && kind != "obj" && kind != "png")
    throw Error(ErrorKind::usage,
                "--output: '" + command.output +
                    "' is of no format that a pose is written in; use .glb, .gltf, .obj or .png");
  if (command.clip.empty() == command.pose.empty())
    throw Error(ErrorKind::usage, "a pose is either --clip NAME@TIME or --pose FILE");
  if (!command.mask.empty() && command.skinning != Skinning::volume)
    throw Error(ErrorKind::usage, "--volume-mask goes with --skinning volume");
  check_path_length(command.output);
  refuse_existing(command.output, command.force);
}

/// Prints the effect of the volume correction and where it cannot preserve volume.
void print_volumes(const PoseCommand& command, const motion::VolumeModel& model,
                   const motion::CorrectedPose& posed) {
  const motion::VolumeError error = motion::volume_error(model, posed);
  print_line(stdout, "volume: " + percent(error.linear, 3) + " by linear skinning, " +
                         percent(error.corrected, 5) + " corrected; the worst part " +
                         percent(error.worst_linear, 2) + ", " + percent(error.worst, 5));
  print_line(stdout, parts_text(model.parts));
  print_line(stdout, moved_text(error.moved, error.held));
  constexpr double promised = 1e-4;
  if (error.worst > promised)
    print_finding(Severity::warning, command.input + ": a part's volume is off by " +
                                         percent(error.worst, 2) +
                                         " still: more correction would tear it apart");
}

std::vector<Eigen::Vector3d> skinned(const PoseCommand& command, const PosedFile& file,
                                     const motion::PoseSurface& surface,
                                     const std::vector<Eigen::Affine3d>& pose) {
  switch (command.skinning) {
    case Skinning::linear:
      return motion::linear_positions(surface, pose);
    case Skinning::dual:
      return motion::dual_quaternion_positions(surface, file.scene.joints, pose);
    case Skinning::volume:
      break;
  }
  const motion::VolumeModel model = motion::volume_model(
      file.scene, command.mask.empty() ? std::vector<double>() : volume_mask(command.mask, file));
  const motion::CorrectedPose corrected = motion::volume_positions(model, pose);
  print_volumes(command, model, corrected);
  return corrected.positions;
}

void require_finite(const PoseCommand& command, const motion::PoseSurface& surface,
                    const std::vector<Eigen::Vector3d>& positions) {
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (surface.rest[v].allFinite() && !positions[v].allFinite())
      throw Error(ErrorKind::input, command.input + ": vertex " + std::to_string(v) +
                                        " has no finite place in this pose");
}

/// A character baked into a pose.
struct FrozenPose {
  const motion::PoseSurface& surface;
  const std::vector<Eigen::Affine3d>& joints;     ///< bind space -> posed space
  const std::vector<Eigen::Vector3d>& positions;  ///< by vertex of the surface, posed space
};

void append_number(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<float>(value)).ptr;
  text.append(digits, end);
}

std::string obj_text(const PosedFile& file, const FrozenPose& pose,
                     const Eigen::Affine3d& to_world) {
  std::string text = "# gvbind pose\n";
  const auto& gltf = std::get<std::shared_ptr<GltfDocument>>(file.document);
  const std::vector<bool> drawn = gltf::drawn_meshes(*gltf, file.scene);
  std::size_t written = 0;
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m) {
    if (!drawn[m]) continue;
    const SceneMesh& mesh = file.scene.meshes[m];
    const std::size_t base = pose.surface.first[m];
    text += "o " + one_line(mesh.name) + "\n";
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Eigen::Vector3d p = to_world * pose.positions[base + v];
      text += "v";
      for (const double value : p) append_number(text += ' ', value);
      text += '\n';
    }
    for (const Triangle& t : mesh.triangles) {
      text += "f";
      for (const std::uint32_t v : t) text += ' ' + std::to_string(written + v + 1);
      text += '\n';
    }
    written += mesh.positions.size();
  }
  return text;
}

std::vector<gltf::FrozenMesh> frozen_meshes(const PosedFile& file, const FrozenPose& pose,
                                            const Eigen::Affine3d& to_world) {
  std::vector<gltf::FrozenMesh> meshes;
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m) {
    gltf::FrozenMesh& frozen = meshes.emplace_back();
    for (std::size_t v = pose.surface.first[m]; v < pose.surface.first[m + 1]; ++v) {
      frozen.positions.push_back(to_world * pose.positions[v]);
      frozen.turns.push_back(to_world.linear() *
                             blended_transform(pose.surface, v, pose.joints).linear() *
                             file.scene.meshes[m].to_bind.linear());
    }
  }
  return meshes;
}

std::vector<EncodedFile> picture(const PosedFile& file, const FrozenPose& pose) {
  preview::PreviewOptions options;
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m) {
    const auto begin = pose.positions.begin() + static_cast<std::ptrdiff_t>(pose.surface.first[m]);
    options.posed.emplace_back(
        begin, begin + static_cast<std::ptrdiff_t>(file.scene.meshes[m].positions.size()));
  }
  const std::string bytes = preview::png_bytes(preview::render_sheet(file.scene, options));
  return {{"", {bytes.begin(), bytes.end()}}};
}

/// Writes a .glb or .gltf (with materials and texture coordinates), an .obj (positions and
/// triangles) or a .png. The first three use the file's world space. Throws Error(output).
void write_pose(const PosedFile& file, const FrozenPose& pose, const std::string& output,
                bool overwrite) {
  const WriteOptions writing = overwriting(output, overwrite);
  const std::string kind = lower_extension(output);
  if (kind == "png") return write_files(picture(file, pose), output, writing);
  const Eigen::Affine3d to_world = world_to_bind(file.document, file.scene).inverse();
  if (kind == "obj") {
    const std::string text = obj_text(file, pose, to_world);
    return write_files({{"", {text.begin(), text.end()}}}, output, writing);
  }
  const auto& gltf = std::get<std::shared_ptr<GltfDocument>>(file.document);
  gltf::freeze_meshes(*gltf, file.scene, frozen_meshes(file, pose, to_world));
  Findings unused;
  write_files(encode(file.document, output, unused), output, writing);
}

/// The pose, by joint of the scene; joints are added for meshes that a clip moves without them.
std::vector<Eigen::Affine3d> take_pose(const PoseCommand& command, InputFile& input) {
  const PosedFile file{input.path, input.document, input.scene};
  ClipTime at;
  if (!command.clip.empty())
    at = clip_option("--clip", command.clip, file);
  else if (command.pose.starts_with(clip_prefix))
    at = clip_option("--pose", std::string_view(command.pose).substr(clip_prefix.size()), file);
  else
    return pose_option(command.pose, file);
  return naming(input.path, [&] {
    auto pose = clip_pose(input.document, input.scene, at.clip, at.seconds);
    add_clip_joints(input.document, at.clip, at.seconds, input.scene, pose);
    return pose;
  });
}

/// Returns the exit code of the process.
int run_pose(const PoseCommand& command) {
  start_command(command);
  check_pose_command(command);
  Findings ignored;
  DroppedFeatures not_posed;
  InputFile input = read_to_move(command.input, command.limits, "posed", not_posed, ignored);
  const std::vector<Eigen::Affine3d> pose = take_pose(command, input);
  const PosedFile file{input.path, input.document, input.scene};
  const motion::PoseSurface surface = motion::pose_surface(input.scene);
  const std::vector<Eigen::Vector3d> positions = skinned(command, file, surface, pose);
  require_finite(command, surface, positions);
  write_pose(file, {surface, pose, positions}, command.output, command.force);
  print_line(stdout, command.input + " -> " + command.output);
  return 0;
}

}  // namespace

Subcommand add_pose(CLI::App& app) {
  const auto command = std::make_shared<PoseCommand>();
  CLI::App* pose = app.add_subcommand("pose", "Freeze a skinned character in a pose");
  pose->footer(
      "Examples:\n"
      "  gvbind pose hero.glb --clip walk@0.4 -o step.glb\n"
      "  gvbind pose hero.fbx --pose crouch.toml --skinning volume -o crouch.obj\n"
      "  gvbind pose hero.glb --clip @0 --skinning dual -o first.png");
  pose->add_option("FILE", command->input, "A glTF or FBX with a skin")
      ->required()
      ->type_name("FILE");
  pose->add_option("--clip", command->clip,
                   "A clip of the file at a time in seconds; without a name the first one")
      ->type_name("NAME@TIME");
  pose->add_option(
          "--pose", command->pose,
          "A TOML file with lines NAME = [x, y, z], degrees about the axes of the file; or "
          "clip:NAME@TIME")
      ->type_name("FILE|clip:NAME@TIME");
  add_output(*pose, command->output,
             "The file to write: .glb or .gltf, .obj (positions and triangles), .png");
  add_choice<Skinning>(
      *pose, "--skinning", command->skinning,
      {{"linear", Skinning::linear}, {"dual", Skinning::dual}, {"volume", Skinning::volume}},
      "How joints move vertices: linear blending, dual quaternions, or linear "
      "blending with its volume kept");
  pose->add_option("--volume-mask", command->mask,
                   "Where the volume is kept: a TOML file with lines JOINT = FACTOR, or vertex "
                   "colors of a glTF, from black (nowhere) to white")
      ->type_name("FILE|color:NAME");
  add_run_options(*pose, *command);
  add_quiet(*pose, *command);
  add_force(*pose, *command);
  return {pose, [command] { return run_pose(*command); }};
}

}  // namespace gvbind
