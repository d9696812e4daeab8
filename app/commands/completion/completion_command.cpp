// Tested by tests/command/completion_test.py.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/command_table.h"
#include "cli/completion_script.h"
#include "cli/manual_page.h"
#include "cli/option_values.h"
#include "common/console.h"
#include "common/write_text.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

using Script = std::string (*)(const std::vector<CommandEntry>&);

const std::map<std::string, Script>& completion_scripts() {
  static const std::map<std::string, Script> scripts = {
      {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};
  return scripts;
}

/// Returns the exit code of the process.
int run_completion(const CLI::App& app, const std::string& shell) {
  const auto found = completion_scripts().find(shell);
  if (found == completion_scripts().end()) {
    std::vector<std::string> known;
    for (const auto& entry : completion_scripts()) known.push_back(entry.first);
    refuse_choice("SHELL", shell, known);
  }
  print_verbatim(stdout, found->second(command_table(app)));
  return 0;
}

int run_manual(const CLI::App& app, const std::string& directory) {
  const std::vector<CommandEntry> table = command_table(app);
  for (const CommandEntry& command : table)
    write_text_file(manual_page(command, table), directory + "/" + full_name(command, "-") + ".1",
                    true);
  return 0;
}

}  // namespace

Subcommand add_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app.add_subcommand("completion", "Print a script that completes gvbind's command line");
  completion->footer(
      "Examples:\n"
      "  gvbind completion bash > ~/.local/share/bash-completion/completions/gvbind\n"
      "  gvbind completion fish > ~/.config/fish/completions/gvbind.fish\n"
      "  gvbind completion zsh > ~/.zfunc/_gvbind     # a folder of $fpath");
  completion->add_option("SHELL", *shell, "Which: bash|fish|zsh")
      ->required()
      ->type_name("bash|fish|zsh");
  return {completion, [&app, shell] { return run_completion(app, *shell); }};
}

Subcommand add_manual(CLI::App& app) {
  const auto directory = std::make_shared<std::string>();
  CLI::App* manual = app.add_subcommand("manual", "Write a manual page for every command");
  manual
      ->add_option("DIR", *directory, "The folder of gvbind.1, gvbind-bind.1, ...; made if missing")
      ->required();
  return {manual, [&app, directory] { return run_manual(app, *directory); }};
}

}  // namespace gvbind
