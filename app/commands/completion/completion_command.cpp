// Tested by tests/command/completion_test.py.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/command_table.h"
#include "cli/option_values.h"
#include "common/console.h"

namespace gvbind {

namespace {

// Scripts complete commands, flags and values that have names, and paths where a path is meant.
// They hold the whole table: completing a word runs no command.

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

/// The text with a backslash before each of these characters.
std::string with_backslashes(std::string_view text, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (before.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Up to the first sentence's end: menus have one line for each option.
std::string first_clause(const std::string& help) { return help.substr(0, help.find(';')); }

std::vector<std::string> flags_of(const CommandEntry& command) {
  std::vector<std::string> flags;
  for (const OptionEntry& option : command.options)
    flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  return flags;
}

std::string bash_values(const OptionEntry& option) {
  std::string calls;
  if (!option.words.empty()) calls += " _gvbind_words '" + joined(option.words, " ") + "';";
  if (option.kind == ValueKind::file) calls += " _gvbind_paths -f;";
  if (option.kind == ValueKind::directory) calls += " _gvbind_paths -d;";
  return calls;
}

/// Cases of `COMMAND:FLAG` for values, and of `COMMAND` for flags and positionals.
std::string bash_cases(const CommandEntry& command, bool of_values) {
  const std::string name = joined(command.path, " ");
  std::string cases;
  if (of_values) {
    for (const OptionEntry& option : command.options) {
      if (option.value.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& flag : option.flags)
        patterns.push_back("'" + name + ":" + flag + "'");
      cases += "    " + joined(patterns, "|") + ")" + bash_values(option) + " return ;;\n";
    }
    return cases;
  }
  std::string calls;
  if (!command.commands.empty()) calls += " _gvbind_words '" + joined(command.commands, " ") + "';";
  for (const OptionEntry& positional : command.positionals) calls += bash_values(positional);
  return "    '" + name + "') flags='" + joined(flags_of(command), " ") + "'; [[ $cur == -* ]] ||" +
         (calls.empty() ? " :;" : " {" + calls + " };") + " ;;\n";
}

std::string bash_commands(const std::vector<CommandEntry>& table) {
  std::string cases;
  for (const CommandEntry& command : table) {
    if (command.path.empty()) continue;
    const std::vector<std::string> parent(command.path.begin(), command.path.end() - 1);
    cases += "      '" + joined(parent, " ") + ":" + command.path.back() + "') command='" +
             joined(command.path, " ") + "' ;;\n";
  }
  return cases;
}

std::string zsh_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string zsh_text(const std::string& text) { return with_backslashes(text, "[]:\\"); }

/// ":VALUE:ACTION" of _arguments.
std::string zsh_value(const OptionEntry& option) {
  const std::string words = option.words.empty() ? "" : "compadd - " + joined(option.words, " ");
  const std::string paths = option.kind == ValueKind::file        ? "_files"
                            : option.kind == ValueKind::directory ? "_files -/"
                                                                  : "";
  std::string action = words.empty() ? paths : words;
  if (!words.empty() && !paths.empty()) action = words + "; " + paths;
  return ":" + zsh_text(option.value) + ":" + (action.empty() ? " " : "{" + action + "}");
}

std::string zsh_option(const OptionEntry& option) {
  std::string rest = "[" + zsh_text(first_clause(option.help)) + "]";
  if (!option.value.empty()) rest += zsh_value(option);
  std::string text;
  for (const std::string& flag : option.flags) {
    const std::string once = option.repeatable ? "*" : "(" + joined(option.flags, " ") + ")";
    text += " \\\n    " + zsh_quoted(once + flag + rest);
  }
  return text;
}

std::string zsh_function(const CommandEntry& command) {
  const std::string name = "_" + full_name(command, "_");
  std::string text = name + "() {\n";
  if (!command.commands.empty())
    text += "  local context state state_descr line\n  typeset -A opt_args\n";
  text += std::string("  _arguments ") + (command.commands.empty() ? "-S" : "-C");
  for (const OptionEntry& option : command.options) text += zsh_option(option);
  if (command.commands.empty()) {
    for (const OptionEntry& positional : command.positionals)
      text += " \\\n    " + zsh_quoted((positional.repeatable ? "*" : "") + zsh_value(positional));
    return text + "\n}\n\n";
  }
  text += " \\\n    '1:command:{compadd - " + joined(command.commands, " ") +
          "}' \\\n    '*:: :->below'\n  [[ $state == below ]] || return 0\n  case $words[1] in\n";
  for (const std::string& below : command.commands)
    text += "    " + below + ") " + name + "_" + below + " ;;\n";
  return text + "  esac\n}\n\n";
}

std::string fish_quoted(const std::string& text) {
  return "'" + with_backslashes(text, "'\\") + "'";
}

/// "-x -a 'a b'", "-r -F": the value of an option.
std::string fish_value(const OptionEntry& option) {
  std::string text;
  if (option.kind == ValueKind::file)
    text = " -r -F";
  else if (option.kind == ValueKind::directory)
    text = " -x -a '(__fish_complete_directories)'";
  else if (option.kind == ValueKind::text)
    text = " -x";
  if (!option.words.empty()) text += " -a " + fish_quoted(joined(option.words, " "));
  return text;
}

std::string fish_lines(const CommandEntry& command, const std::vector<CommandEntry>& table) {
  const std::string test = (command.commands.empty() ? "__gvbind_below" : "__gvbind_at") +
                           std::string(command.path.empty() ? "" : " ") + joined(command.path, " ");
  const std::string line = "complete -c gvbind -n '" + test + "'";
  std::string text;
  for (const std::string& name : command.commands) {
    std::vector<std::string> path = command.path;
    path.push_back(name);
    text += line + " -f -a " + name + " -d " + fish_quoted(find_command(table, path)->help) + "\n";
  }
  for (const OptionEntry& positional : command.positionals) {
    if (!positional.words.empty())
      text += line + " -a " + fish_quoted(joined(positional.words, " ")) + "\n";
    if (positional.kind != ValueKind::text) text += line + " -F\n";
  }
  for (const OptionEntry& option : command.options) {
    text += line;
    for (const std::string& flag : option.flags)
      text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
    text += fish_value(option) + " -d " + fish_quoted(first_clause(option.help)) + "\n";
  }
  return text;
}

constexpr const char* bash_helpers =
    R"(# bash completion for gvbind, written by 'gvbind completion bash'.
_gvbind_words() {
  local IFS=$' \t\n'
  COMPREPLY+=($(compgen -W "$1" -- "$cur"))
}
_gvbind_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
}
_gvbind() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= flags= i
  COMPREPLY=()
  # The = of --flag=value is a word of its own.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case $command:${COMP_WORDS[i]} in
)";

constexpr const char* fish_helpers =
    R"(# fish completion for gvbind, written by 'gvbind completion fish'.
function __gvbind_below
    set -l given (commandline -opc)
    set -e given[1]
    test (count $given) -ge (count $argv); or return 1
    for i in (seq (count $argv))
        test "$given[$i]" = "$argv[$i]"; or return 1
    end
end
function __gvbind_at
    test (count (commandline -opc)) -eq (math 1 + (count $argv)); and __gvbind_below $argv
end
complete -c gvbind -f
)";

std::string bash_completion(const std::vector<CommandEntry>& table) {
  std::string values, flags;
  for (const CommandEntry& command : table) {
    values += bash_cases(command, true);
    flags += bash_cases(command, false);
  }
  return bash_helpers + bash_commands(table) +
         "      *) break ;;\n    esac\n  done\n  case $command:$prev in\n" + values +
         "  esac\n  case $command in\n" + flags +
         "  esac\n  [[ $cur == -* ]] && _gvbind_words \"$flags\"\n  return 0\n}\n"
         "complete -F _gvbind gvbind\n";
}

std::string zsh_completion(const std::vector<CommandEntry>& table) {
  std::string text =
      "#compdef gvbind\n# zsh completion for gvbind, written by 'gvbind completion zsh'.\n\n";
  for (const CommandEntry& command : table) text += zsh_function(command);
  return text +
         "if [[ $funcstack[1] == _gvbind ]]; then\n  _gvbind \"$@\"\nelse\n  compdef _gvbind "
         "gvbind\nfi\n";
}

std::string fish_completion(const std::vector<CommandEntry>& table) {
  std::string text = fish_helpers;
  for (const CommandEntry& command : table) text += fish_lines(command, table);
  return text;
}

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

}  // namespace gvbind
