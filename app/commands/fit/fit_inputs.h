#pragma once

// Tested by tests/command/fit_test.py.

#include <string>
#include <vector>

#include "commands/fit/fit_command.h"

namespace gvbind {

/// A file that was not used for training.
struct LeftOut {
  std::string file, reason;
};

struct FitInputs {
  std::vector<fit::CharacterSamples> characters;
  std::vector<std::string> hashes;  ///< of each character's file
  std::vector<LeftOut> left_out;
};

/// The samples of all characters below the folders, sorted by name. Throws Error: usage for a
/// pattern of --exclude that matches nothing, input for a folder that cannot be listed.
FitInputs read_inputs(const FitCommand& command);

/// "Reading: 3/20" as a status line on a terminal; nothing elsewhere or with --quiet.
void show_count(const FitCommand& command, const char* what, std::size_t done, std::size_t of);

}  // namespace gvbind
