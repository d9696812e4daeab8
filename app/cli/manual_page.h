#pragma once

// Tested by tests/command/completion_test.py.

#include <string>
#include <vector>

#include "cli/command_table.h"

namespace gvbind {

/// The manual page of a command, in section 1, for man(1).
std::string manual_page(const CommandEntry& command, const std::vector<CommandEntry>& table);

}  // namespace gvbind
