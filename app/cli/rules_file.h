#pragma once

// Tested by tests/command/rules_test.py.

#include <string>
#include <vector>

#include "cli/bind_options.h"

namespace gvbind {

/// An option in a file of rules.
struct RulesEntry {
  const BindOption* option = nullptr;
  std::vector<std::string> values;
  std::string origin;  ///< "rules.toml:3"
};

/// TOML, or JSON by its extension, whose keys are long flags of `gvbind bind` without the dashes;
/// paths are from the file's directory. In the order of bind_options(); none for an empty path.
/// Throws Error: input (a file that cannot be read), usage for its content, one line that begins
/// with "FILE:LINE: ".
std::vector<RulesEntry> read_rules(const std::string& path);

}  // namespace gvbind
