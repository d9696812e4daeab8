// Tested by tests/command/view_test.py.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "cli/file_command.h"
#include "commands/bind/view_tuning.h"
#include "common/open_file.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "view/view_binder.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

struct ViewCommand : FileCommand {
  std::string input, output, other, field, binder;
  bool open = false;
};

void check_view(ViewCommand& command) {
  namespace fs = std::filesystem;
  if (command.output.empty()) command.output = path_text(fs::path(command.input).stem()) + ".html";
  if (!command.field.empty() && !command.other.empty())
    throw Error(ErrorKind::usage,
                "--field tunes one skin, and --compare shows two; use one of them");
  if (!command.binder.empty() && !(command.field.empty() && command.other.empty()))
    throw Error(ErrorKind::usage,
                "--binder binds the one skin of a page anew; use it without --field and --compare");
  check_page("--output", command.output, command.force);
}

/// Returns the exit code of the process.
int run_view(ViewCommand& command) {
  start_command(command);
  check_view(command);
  ViewInput input = read_for_page(command.input, command.limits);
  std::optional<ViewComparison> other;
  if (!command.other.empty())
    other = page_comparison(input, read_for_page(command.other, command.limits));
  std::optional<ViewTuning> tuning;
  if (!command.field.empty()) tuning = view_tuning(command.field, input);
  std::optional<ViewBinder> binder;
  if (!command.binder.empty()) binder = read_binder(command.binder, input);
  const ViewExtras extras{other ? &*other : nullptr, tuning ? &*tuning : nullptr,
                          binder ? &*binder : nullptr};
  write_page(input, extras, command.output, Announce::yes);
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
      "  gvbind view hero_skinned.glb --field hero.field -o hero.html\n"
      "  gvbind view hero_skinned.glb --binder node_modules/gvbind -o hero.html");
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
  view->add_option(
          "--binder", command->binder,
          "The package for npm, unpacked (node_modules/gvbind): the page gets FILE and its "
          "WebAssembly, and binds FILE anew in the browser with another resolution, alpha, "
          "penalty or kind of weights")
      ->type_name("FOLDER");
  view->add_flag("--open", command->open, "Open the page in the browser");
  add_run_options(*view, *command);
  add_quiet(*view, *command);
  add_force(*view, *command, "Overwrite the page");
  return {view, [command] { return run_view(*command); }};
}

}  // namespace gvbind
