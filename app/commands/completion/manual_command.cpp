// Tested by tests/command/completion_test.py.

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/command_table.h"
#include "common/write_text.h"
#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

/// Text as it is: a hyphen that can be copied, no line that roff takes for a request.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

std::string entry_text(const OptionEntry& option) {
  std::string name;
  for (const std::string& flag : option.flags)
    name += (name.empty() ? "" : ", ") + ("\\fB" + roff(flag) + "\\fR");
  const std::string& value = option.name.empty() ? option.value : option.name;
  if (!value.empty()) name += (name.empty() ? "" : " ") + ("\\fI" + roff(value) + "\\fR");
  return ".TP\n" + name + "\n" + roff(option.help) + "\n";
}

std::string options_text(const CommandEntry& command) {
  std::string text = ".SH OPTIONS\n", group = "Options";
  for (const OptionEntry& option : command.options) {
    if (option.group != group) text += ".SS " + roff(option.group) + "\n";
    group = option.group;
    text += entry_text(option);
  }
  return text;
}

/// Lines that begin with a blank are examples, which stay as they are.
std::string footer_text(const std::string& footer) {
  std::string text = footer.empty() ? "" : ".SH NOTES\n";
  bool example = false;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with(' ');
    if (indented != example) text += indented ? ".PP\n.nf\n" : ".fi\n.PP\n";
    example = indented;
    text += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  return text + (example ? ".fi\n" : "");
}

std::string see_also(const CommandEntry& command, const std::vector<CommandEntry>& table) {
  std::string text;
  const auto add = [&](const CommandEntry& other) {
    text += (text.empty() ? "" : ",\n") + (".BR " + roff(full_name(other, "-")) + " (1)");
  };
  // Without a comma after the macro's arguments: they would be set apart from it.
  for (const CommandEntry& other : table) {
    const bool related = command.path.empty()
                             ? other.path.size() == 1
                             : other.path.empty() || other.path.size() + 1 == command.path.size();
    if (related && &other != &command) add(other);
  }
  return ".SH SEE ALSO\n" + text + "\n";
}

/// The manual page of a command, in section 1, for man(1).
std::string manual_page(const CommandEntry& command, const std::vector<CommandEntry>& table) {
  const std::string name = full_name(command, "-");
  const std::string help = command.path.empty() ? "bind characters to skeletons" : command.help;
  std::string text = ".TH \"" + upper(roff(name)) +
                     "\" 1 \"\" \"gvbind " GVBIND_VERSION "\" \"gvbind\"\n" + ".SH NAME\n" +
                     roff(name) + " \\- " + roff(help) + "\n.SH SYNOPSIS\n" + roff(command.usage) +
                     "\n";
  if (command.path.empty()) text += ".SH DESCRIPTION\n" + roff(command.help) + "\n";
  if (!command.positionals.empty()) text += ".SH ARGUMENTS\n";
  for (const OptionEntry& positional : command.positionals) text += entry_text(positional);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const std::string& below : command.commands) {
    std::vector<std::string> path = command.path;
    path.push_back(below);
    text += ".TP\n\\fB" + below + "\\fR\n" + roff(find_command(table, path)->help) + "\n";
  }
  return text + options_text(command) + footer_text(command.footer) + see_also(command, table);
}

int run_manual(const CLI::App& app, const std::string& directory) {
  const std::vector<CommandEntry> table = command_table(app);
  for (const CommandEntry& command : table)
    write_text_file(manual_page(command, table), directory + "/" + full_name(command, "-") + ".1",
                    true);
  return 0;
}

}  // namespace

Subcommand add_manual(CLI::App& app) {
  const auto directory = std::make_shared<std::string>();
  CLI::App* manual = app.add_subcommand("manual", "Write a manual page for every command");
  manual
      ->add_option("DIR", *directory, "The folder of gvbind.1, gvbind-bind.1, ...; made if missing")
      ->required();
  return {manual, [&app, directory] { return run_manual(app, *directory); }};
}

}  // namespace gvbind
