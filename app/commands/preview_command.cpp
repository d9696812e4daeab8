// Tested by tests/app/preview_test.py.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "assets/document.h"
#include "assets/file_io.h"
#include "assets/match_skin.h"
#include "check/skin_difference.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "common/console.h"
#include "common/resources.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "preview/preview.h"

namespace gvbind {

namespace {

struct PreviewCommand {
  std::string input, output;
  std::string other;  ///< --compare; empty: none
  int width = 1200;   ///< pixels, 300 to 8000
  double bend = 40;   ///< degrees
  ReadLimits limits;
  bool force = false;
};

/// What is wrong with it is said before anything is drawn.
void check_output(const PreviewCommand& command) {
  namespace fs = std::filesystem;
  if (command.output == "-") {
    if (isatty(STDOUT_FILENO))
      throw Error(ErrorKind::usage, "--output: '-' writes a PNG to stdout, which is a terminal");
    return;
  }
  if (lower_extension(command.output) != "png")
    throw Error(ErrorKind::usage, "--output: '" + command.output +
                                      "' is no PNG, and nothing else is drawn; give a name that "
                                      "ends with .png, or - for stdout");
  std::error_code ignored;
  if (!command.force && fs::exists(command.output, ignored))
    throw Error(ErrorKind::output, command.output + ": exists already; --force overwrites it");
}

Scene read_scene(const std::string& path, const ReadLimits& limits) {
  Findings findings;
  Scene scene = scene_of(read_document(path, findings, read_options(limits, path)), {}, findings,
                         {.attributes = false});
  if (scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, path + ": holds no mesh");
  return scene;
}

void require_skin(const Scene& scene, const std::string& path) {
  for (const SceneMesh& mesh : scene.meshes)
    if (!mesh.weights.empty()) return;
  throw Error(ErrorKind::cannot_bind, path + ": has no skin, and --compare takes two");
}

/// What the two have in common, for stdout and for the head of the picture.
std::vector<std::string> comparison_lines(const SkinMatch& match, const SkinDifference& apart) {
  std::string how = counted(match.by_order, "vertex", "vertices") + " by order";
  if (match.by_position + match.unmatched > 0)
    how += ", " + grouped(match.by_position) + " by position";
  if (match.unmatched > 0) how += ", " + grouped(match.unmatched) + " without one there";
  return {"L1 " + fixed(apart.l1, 4) + ", dAvg " + fixed(apart.mean_distance, 2) + ", dMax " +
              fixed(apart.max_distance, 1),
          how + "; " + counted(match.common_joints, "joint", "joints") + " in common" +
              (match.added_joints.empty()
                   ? std::string()
                   : ", " + grouped(match.added_joints.size()) + " in the other alone")};
}

/// Prints the figures and draws the picture.
Image draw_comparison(const PreviewCommand& command, const Scene& scene,
                      const PreviewOptions& options) {
  const Scene other = read_scene(command.other, command.limits);
  require_skin(scene, command.input);
  require_skin(other, command.other);
  const SkinMatch match = match_skin(scene, other);
  const SkinDifference apart = compare_skins(match.ours, match.theirs);
  if (match.common_joints == 0)
    throw Error(ErrorKind::cannot_bind, command.other +
                                            ": none of its joints has the name of one of " +
                                            command.input + ", so the weights cannot be compared");
  if (apart.vertices == 0)
    throw Error(ErrorKind::cannot_bind,
                command.other + ": no vertex with weight lies where one of " + command.input +
                    " does, so there is nothing to compare");
  Comparison comparison;
  comparison.lines = comparison_lines(match, apart);
  const std::string names = command.input + " against " + command.other + ": ";
  print_line(command.output == "-" ? stderr : stdout,
             names + comparison.lines[0] + "; " + comparison.lines[1]);
  namespace fs = std::filesystem;
  comparison.name = fs::path(command.input).stem().string();
  comparison.other_name = fs::path(command.other).stem().string();
  if (comparison.name == comparison.other_name) {
    comparison.name = "A";
    comparison.other_name = "B";
  }
  comparison.lines.insert(comparison.lines.begin(),
                          {"A: " + fs::path(command.input).filename().string(),
                           "B: " + fs::path(command.other).filename().string()});
  comparison.apart = apart.per_vertex;
  return render_comparison(match.ours, match.theirs, comparison, options);
}

/// Returns the exit code of the process.
int run_preview(const PreviewCommand& command) {
  set_up_threads(0);
  check_output(command);
  limit_memory(memory_limit(command.limits.max_memory));
  const Scene scene = read_scene(command.input, command.limits);
  PreviewOptions options;
  options.width = command.width;
  options.bend_degrees = command.bend;
  const Image sheet = command.other.empty() ? render_sheet(scene, options)
                                            : draw_comparison(command, scene, options);
  if (command.output == "-")
    print_verbatim(stdout, png_bytes(sheet));
  else
    write_png(sheet, command.output);
  return 0;
}

}  // namespace

Subcommand add_preview(CLI::App& app) {
  const auto command = std::make_shared<PreviewCommand>();
  CLI::App* preview =
      app.add_subcommand("preview", "Draw a skinned file: weights in colors and two bent poses");
  preview->add_option("FILE", command->input, "A file with a skin")->required();
  preview->add_option("-o,--output", command->output, "The picture, a PNG; - is stdout")
      ->required()
      ->type_name("PNG|-");
  preview
      ->add_option_function<std::string>(
          "--width",
          [command](const std::string& t) {
            command->width = static_cast<int>(parse_number("--width", t, 300, 8000));
          },
          "Pixels [1200]")
      ->type_name("N");
  preview
      ->add_option_function<std::string>(
          "--bend",
          [command](const std::string& t) { command->bend = parse_number("--bend", t, 0, 120); },
          "How far joints turn in the bent poses, in degrees [40]")
      ->type_name("DEG");
  preview
      ->add_option("--compare", command->other,
                   "Beside the weights that this file has for the same shape (an artist's, say): "
                   "weights, where they differ, and bent poses; prints how far they are apart")
      ->type_name("FILE");
  add_read_limits(*preview, command->limits);
  preview->add_flag("--force", command->force, "Overwrite the picture");
  return {preview, [command] { return run_preview(*command); }};
}

}  // namespace gvbind
