// Tested by tests/command/voxels_test.py.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/scene_voxels.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/bind/bind_file.h"
#include "common/console.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "preview/voxel_picture.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct VoxelsCommand : BindSettings {
  std::string input, output;
  int width = 1200;  ///< of a PNG, in pixels
  FileCommand run;   ///< only its limits of memory and threads, and --quiet, are used
};

/// Rejects unusable outputs before the work starts.
void check_voxels_output(const VoxelsCommand& command) {
  const std::string extension = lower_extension(command.output);
  if (extension != "ply" && extension != "obj" && extension != "png")
    throw Error(ErrorKind::usage, "--output: '" + command.output +
                                      "' is neither a .ply, an .obj nor a .png, and nothing else "
                                      "is written");
  refuse_existing(command.output, command.force);
}

/// Rejects options that add to the output of a bind, which a picture of its solid never shows.
void refuse_without_effect(const GivenFlags& given) {
  for (const auto& [option, values] : given)
    if (option->name == "clip" || option->name == "springs" || option->name == "max-joints" ||
        option->name == "skinning")
      throw Error(ErrorKind::usage, "--" + option->name +
                                        ": changes the output of a bind, and nothing of the "
                                        "solid that 'gvbind voxels' shows; leave it out");
}

/// Prepares the file like a bind that ignores existing weights.
BindRequest request_of(const VoxelsCommand& command) {
  const fs::path as_written = is_written(command.input) ? command.input : command.input + ".glb";
  BindRequest request = request_of(command, command.input, as_written);
  request.max_memory = command.run.limits.max_memory;
  request.existing = Existing::replace;
  return request;
}

std::string short_text(double number, int digits = 5) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, number);
  return text.data();
}

/// To a hundredth of a voxel, also far from the origin.
std::string place_text(const Eigen::Vector3d& p, double voxel) {
  std::string text;
  for (const double number : p) {
    const double steps = std::abs(number) / (voxel / 100.0);
    const int digits = steps > 1.0 ? static_cast<int>(std::log10(steps)) + 2 : 0;
    text += (text.empty() ? "" : " ") + short_text(number, std::clamp(digits, 5, 17));
  }
  return text;
}

/// Measures for writing edits: the voxel size, and the box that percentages refer to.
void print_solid(const VoxelsCommand& command, const Scene& scene, const SceneVoxels& made,
                 int resolution) {
  Eigen::AlignedBox3d box;
  for (const SceneMesh& mesh : scene.meshes)
    if (mesh.selected)
      for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  const double voxel = voxel_size(resolution) / made.solids.front().cube.scale;
  std::map<VoxelKind, std::size_t> counts;
  for (const SolidVoxels& solid : made.solids) count_kinds(solid, counts);
  std::string text = command.input + ": " + grouped(static_cast<std::size_t>(resolution)) +
                     " voxels a side of " + short_text(voxel) + "; box " +
                     place_text(box.min(), voxel) + " to " + place_text(box.max(), voxel);
  for (const auto& [kind, count] : counts)
    text += std::string("; ") + grouped(count) + " " + voxel_kind_name(kind);
  print_line(stdout, text);
}

void write_solid(const VoxelsCommand& command, const Scene& scene, const SceneVoxels& made) {
  const std::string extension = lower_extension(command.output);
  std::string bytes =
      extension == "ply" ? ply_of(made.solids)
      : extension == "obj"
          ? obj_of(made.solids)
          : preview::png_bytes(preview::render_voxels(made.solids, scene.units, command.width));
  write_files({{"", {bytes.begin(), bytes.end()}}}, command.output,
              WriteOptions{.overwrite = command.force});
}

/// Returns the exit code of the process.
int run_voxels(const VoxelsCommand& command) {
  check_voxels_output(command);
  start_command(command.run);
  const BindRequest request = request_of(command);
  Findings findings;
  const BindableFile file = read_selected(request, findings);
  BindOptions options = options_for(request, file);
  const SceneVoxels made = naming(request.input, [&] {
    if (request.auto_resolution)
      options.resolution =
          std::min(resolution_of(file.bindable(), options, request.volume).resolution,
                   planned_resolution(request));
    return scene_voxels(file.bindable(), options, request.volume);
  });
  findings.insert(findings.end(), made.findings.begin(), made.findings.end());
  for (const FindingLine& line : finding_lines(findings, command.input, Detail::warnings))
    print_finding(line.severity, line.text);
  write_solid(command, file.scene, made);
  print_solid(command, file.scene, made, options.resolution);
  return 0;
}

}  // namespace

Subcommand add_voxels(CLI::App& app) {
  const auto command = std::make_shared<VoxelsCommand>();
  CLI::App* voxels =
      app.add_subcommand("voxels", "Show the solid that a bind measures in, and what changed it");
  voxels->footer(
      "Colors and groups: interior, boundary (a triangle meets it), winding (interior by its\n"
      "winding number), added, sealed and cut (by --edits), separated (surfaces touch),\n"
      "region and start (of --influences).\n"
      "Examples:\n"
      "  gvbind voxels hero.fbx -o hero.png --edits hero.edits\n"
      "  gvbind voxels hero.fbx -o hero.ply -r 128");
  voxels->add_option("FILE", command->input, "A character, as for 'gvbind bind'")->required();
  add_output(*voxels, command->output, "A mesh of the solid (.ply, .obj) or a picture of it (.png)")
      ->group(file_group);
  add_number(*voxels, "--width", command->width, 300, 8000, "Pixels of a picture")
      ->group(file_group);
  const auto given = std::make_shared<GivenFlags>();
  const TakeOption take = collect_in(given);
  add_bind_options(*voxels, OptionGroup::skeleton, take);
  add_bind_options(*voxels, OptionGroup::method, take);
  add_bind_options(*voxels, OptionGroup::selection, take);
  add_bind_option(*voxels, "asset-root", take);
  add_bind_option(*voxels, "force", take);
  add_max_memory(*voxels, command->run.limits);
  add_jobs(*voxels, command->run.jobs);
  add_quiet(*voxels, command->run);
  return {voxels, [command, given] {
            refuse_without_effect(*given);
            apply_flags(*given, *command);
            return run_voxels(*command);
          }};
}

}  // namespace gvbind
