#pragma once

// Tested by tests/command/fit_test.py.

#include <string>
#include <vector>

#include "cli/file_command.h"
#include "fit/character_samples.h"
#include "fit/network_training.h"

namespace gvbind {

/// Whose characters are judged together.
enum class GroupBy {
  author,  ///< the name before the first underscore, of the file or the folder below the one given
  folder,  ///< the folder that holds the file
  file,    ///< each its own
};

/// `gvbind fit`, as the command line gave it.
struct FitCommand : FileCommand {
  std::vector<std::string> folders;
  std::string output;  ///< a file of weights
  std::string source;  ///< the same as a C++ source; empty: none
  std::vector<std::string> exclude;
  GroupBy by = GroupBy::author;
  int folds = 5;  ///< of the cross validation; 0: none
  SampleOptions samples;
  TrainingOptions training;
  std::string notice;  ///< a file whose lines stand in the outputs: authors, licenses
  std::string date;    ///< stands in the outputs; empty: none
  bool quiet = false;
};

/// Returns the exit code of the process. Throws Error: usage, input (a folder or notice that cannot
/// be read), cannot_bind (no character to fit on), output.
int run_fit(const FitCommand& command);

}  // namespace gvbind
