#pragma once

// Tested by tests/command/score_test.py.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/skin_score.h"
#include "cli/bind_options.h"
#include "cli/file_command.h"
#include "commands/score/score_inputs.h"
#include "gvbind/error.h"

namespace gvbind {

enum class ScoreGroup { file, author, folder };

/// The parsed command line of `gvbind score`.
struct ScoreCommand : FileCommand {
  ScorePlaces places;
  BindSettings settings;  ///< of the binds
  check::SkinScoreOptions options;
  ScoreGroup by = ScoreGroup::file;
  std::string authors;  ///< a table of files and authors; empty: none
  bool quiet = false;
};

/// A character with its measures, or the reason why it has none.
struct ScoredFile {
  std::string name;
  std::string group;
  check::SkinScore score;
  std::string reason;              ///< empty: it was scored
  std::optional<ErrorKind> error;  ///< none: it was scored, or has no weights to compare with
};

/// Reads, binds and compares one character.
ScoredFile score_file(const ScoreInput& input, const ScoreCommand& command);

/// By name of a file or of its folder, from a table of texts between tabs whose first line names a
/// column `file`, and `author` or `author_or_pack`. Throws Error(input) with the line.
std::map<std::string, std::string> read_authors(const std::string& path);

}  // namespace gvbind
