#include "cli.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/subcommands.h"
#include "gvbind/error.h"
#include "nearest_name.h"

namespace gvbind {

namespace {

/// The command that the line reached: `merge` in `gvbind report merge`.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> used = app.get_subcommands();
  return used.empty() ? app : innermost(*used.front());
}

/// What the user most likely meant, for a flag or a command that none of those in use knows.
[[noreturn]] void refuse_extras(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) throw Error(ErrorKind::usage, error.what());
  const CLI::App& command = innermost(app);
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  const bool flag = extras.front().rfind('-', 0) == 0;
  if (!flag)
    for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
      known.push_back(sub->get_name());
  const std::string name = extras.front().substr(0, extras.front().find('='));
  throw Error(ErrorKind::usage, "unknown " + std::string(flag ? "option" : "argument") + " '" +
                                    name + "'" + nearest_name_hint(name, known));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{
      "gvbind binds characters: it reads an FBX or glTF file with a skeleton, computes skin "
      "weights by\n"
      "Geodesic Voxel Binding, and writes the same file back with a skin.",
      "gvbind"};
  app.footer(std::string("'gvbind COMMAND --help' tells more.\n") + exit_codes);
  app.set_version_flag("--version", "gvbind " GVBIND_VERSION);
  app.require_subcommand(1);
  app.option_defaults()->take_last();  // so that scripts can override what they wrote before
  app.get_formatter()->column_width(34);

  const std::vector<Subcommand> subcommands = {
      add_bind(app),   add_batch(app),  add_inspect(app), add_preview(app), add_check(app),
      add_report(app), add_schema(app), add_explain(app), add_doctor(app),
  };

  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    refuse_extras(app, error);
  } catch (const CLI::RequiredError& error) {
    // What is misspelt is first missed under its right name.
    refuse_extras(app, error);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw Error(ErrorKind::usage, error.what());
  }
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) return subcommand.run();
  throw Error(ErrorKind::internal, "no command was parsed");
}

}  // namespace gvbind
