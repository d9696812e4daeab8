// Tested by tests/app/cli_test.py.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "assets/document.h"
#include "assets/file_io.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "common/console.h"
#include "common/resources.h"
#include "gvbind/error.h"
#include "preview/preview.h"

namespace gvbind {

namespace {

struct PreviewCommand {
  std::string input, output;
  int width = 1200;  ///< pixels, 300 to 8000
  double bend = 40;  ///< degrees
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

/// Returns the exit code of the process.
int run_preview(const PreviewCommand& command) {
  set_up_threads(0);
  check_output(command);
  Findings findings;
  limit_memory(memory_limit(command.limits.max_memory));
  const ReadOptions options_of_file = read_options(command.limits, command.input);
  const Scene scene = scene_of(read_document(command.input, findings, options_of_file), {},
                               findings, {.attributes = false});
  if (scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, command.input + ": holds no mesh");
  PreviewOptions options;
  options.width = command.width;
  options.bend_degrees = command.bend;
  const Image sheet = render_sheet(scene, options);
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
  add_read_limits(*preview, command->limits);
  preview->add_flag("--force", command->force, "Overwrite the picture");
  return {preview, [command] { return run_preview(*command); }};
}

}  // namespace gvbind
