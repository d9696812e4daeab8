// Tested by tests/command/view_test.py.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "cli/file_command.h"
#include "commands/view/view_tuning.h"
#include "common/console.h"
#include "common/open_file.h"
#include "common/write_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "view/view_data.h"
#include "view/view_input.h"
#include "view/view_page.h"

namespace gvbind {

namespace {

struct ViewCommand : FileCommand {
  std::string input, output, other, field;
  bool open = false;
};

void check_output(ViewCommand& command) {
  namespace fs = std::filesystem;
  if (command.output.empty()) command.output = fs::path(command.input).stem().string() + ".html";
  const std::string kind = lower_extension(command.output);
  if (kind != "html" && kind != "htm")
    throw Error(ErrorKind::usage,
                "--output: '" + command.output + "' is no page; give a name that ends with .html");
  if (!command.field.empty() && !command.other.empty())
    throw Error(ErrorKind::usage,
                "--field tunes one skin, and --compare shows two; use one of them");
  check_path_length(command.output);
  refuse_existing(command.output, command.force);
}

ViewInput read_input(const ViewCommand& command, const std::string& path) {
  ViewInput input = read_view(path, command.limits);
  for (const Finding& finding : input.findings)
    print_finding(finding.severity, path + ": " + finding.message);
  return input;
}

/// Throws Error(cannot_bind) if one of the files has no skin, or they have nothing in common.
ViewComparison comparison(const ViewCommand& command, const ViewInput& input) {
  const ViewInput other = read_input(command, command.other);
  for (const ViewInput* file : {&input, &other})
    if (!file->scene.has_skin())
      throw Error(ErrorKind::cannot_bind, file->path + ": has no skin, and --compare takes two");
  ViewComparison out{std::filesystem::path(other.path).filename().string(),
                     match_skin(input.scene, other.scene)};
  if (out.match.common_joints == 0 || out.match.by_order + out.match.by_position == 0)
    throw Error(ErrorKind::cannot_bind, other.path +
                                            ": has no joints or no vertices in common with " +
                                            input.path + ", so the weights cannot be compared");
  return out;
}

/// Returns the exit code of the process.
int run_view(ViewCommand& command) {
  start_command(command);
  check_output(command);
  const ViewInput input = read_input(command, command.input);
  std::optional<ViewComparison> other;
  if (!command.other.empty()) other = comparison(command, input);
  std::optional<ViewTuning> tuning;
  if (!command.field.empty()) tuning = view_tuning(command.field, input);
  const ViewExtras extras{other ? &*other : nullptr, tuning ? &*tuning : nullptr};
  const std::string title = std::filesystem::path(command.input).filename().string();
  write_text_file(view_page(title, view_data(input, extras)), command.output);
  print_line(stdout, command.input + " -> " + command.output);
  if (command.open) open_file(command.output);
  return 0;
}

}  // namespace

Subcommand add_view(CLI::App& app) {
  const auto command = std::make_shared<ViewCommand>();
  CLI::App* view =
      app.add_subcommand("view", "Make a page that turns, plays and bends a character");
  view->footer(
      "Examples:\n"
      "  gvbind view hero_skinned.glb\n"
      "  gvbind view hero.fbx --compare hero_by_artist.fbx -o hero.html --open\n"
      "  gvbind view hero_skinned.glb --field hero.field -o hero.html");
  view->add_option("FILE", command->input, "FBX, glTF, or a format that Assimp reads")
      ->required()
      ->type_name("FILE");
  view->add_option("-o,--output", command->output,
                   "The page, one HTML file with all its data [the name of FILE with .html]")
      ->type_name("HTML");
  view->add_option("--compare", command->other,
                   "Another skin of the same shape (an artist's, say), on the other side of a line "
                   "that can be moved")
      ->type_name("FILE");
  view->add_option("--field", command->field,
                   "Distances that 'gvbind bind --save-distances' kept for FILE: the page gets "
                   "sliders for alpha, influences and prune")
      ->type_name("FIELD");
  view->add_flag("--open", command->open, "Open the page in the browser");
  add_run_options(*view, *command);
  add_force(*view, *command, "Overwrite the page");
  return {view, [command] { return run_view(*command); }};
}

}  // namespace gvbind
