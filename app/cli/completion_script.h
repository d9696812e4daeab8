#pragma once

// Tested by tests/command/completion_test.py.

#include <string>
#include <vector>

#include "cli/command_table.h"

namespace gvbind {

// Scripts that complete commands, flags and values that have names, and paths where a path is
// meant. They hold the whole table: completing a word runs no command.

std::string bash_completion(const std::vector<CommandEntry>& table);
std::string zsh_completion(const std::vector<CommandEntry>& table);
std::string fish_completion(const std::vector<CommandEntry>& table);

}  // namespace gvbind
