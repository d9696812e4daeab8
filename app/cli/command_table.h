#pragma once

// Tested by tests/command/completion_test.py.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gvbind {

enum class ValueKind { none, text, file, directory };

/// An option or a positional argument as shells and manuals need it.
struct OptionEntry {
  std::vector<std::string> flags;  ///< "-o", "--output"; none for a positional
  std::string name;                ///< of a positional: INPUT
  std::string value;               ///< its type: "FILE|-"; empty for a switch
  ValueKind kind = ValueKind::none;
  std::vector<std::string> words;  ///< values that have a name: auto, cpu, egl
  bool repeatable = false;
  std::string group, help;
};

struct CommandEntry {
  std::vector<std::string> path;  ///< {"report", "merge"}; empty for gvbind itself
  std::string help, footer, usage;
  std::vector<OptionEntry> options, positionals;
  std::vector<std::string> commands;  ///< below this one
};

/// Every command except hidden ones, parents before their subcommands; the first is gvbind itself.
/// Groups of options stand in the order of the help.
std::vector<CommandEntry> command_table(const CLI::App& app);

/// "gvbind report merge", joined by `separator`.
std::string full_name(const CommandEntry& command, const std::string& separator = " ");

/// Finds an entry of the table by its path.
const CommandEntry* find_command(const std::vector<CommandEntry>& table,
                                 const std::vector<std::string>& path);

}  // namespace gvbind
