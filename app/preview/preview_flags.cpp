#include <memory>
#include <string>

#include "bind/bind_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/subcommands.h"

namespace gvbind {

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
