#pragma once

// Tested by tests/command/fit_test.py.

#include <string>
#include <vector>

#include "cli/file_command.h"
#include "fit/character_samples.h"
#include "fit/network_training.h"

namespace gvbind {

/// Characters of one group are always evaluated together.
enum class GroupBy {
  author,  ///< name before the first underscore, of the file or of the folder below the given one
  folder,  ///< the folder that holds the file
  file,    ///< each file is its own group
};

/// The parsed command line of `gvbind fit`.
struct FitCommand : FileCommand {
  std::vector<std::string> folders;
  std::string output;  ///< a file of weights
  std::string source;  ///< path of the weights as C++ source; empty: none
  std::vector<std::string> exclude;
  GroupBy by = GroupBy::author;
  int folds = 5;  ///< of the cross validation; 0: none
  fit::SampleOptions samples;
  fit::TrainingOptions training;
  std::string notice;  ///< a file with authors and licenses, copied into the outputs
  std::string date;    ///< written into the outputs; empty: none
  bool quiet = false;
};

/// Returns the exit code of the process. Throws Error: usage, input (a folder or notice that cannot
/// be read), cannot_bind (no character to train on), output.
int run_fit(const FitCommand& command);

}  // namespace gvbind
