#pragma once

// Tested by tests/command/score_test.py.

#include <string>
#include <vector>

namespace gvbind {

/// A character to score, and the files that it consists of.
struct ScoreInput {
  std::string file;       ///< the skinned file, the .npz, or the .obj
  std::string rig;        ///< RigNet's text beside an .obj; else empty
  std::string name;       ///< path below the folder that was given, or the file as given
  std::string reference;  ///< a file with the weights to compare with; empty: its own
};

struct ScorePlaces {
  std::vector<std::string> inputs;  ///< files and folders
  std::string rigs;                 ///< folder of the rigs' texts; empty: beside the .obj
  std::string reference;  ///< folder of files with the weights to compare with; empty: their own
};

/// The characters, sorted by name within each input: skinned formats and .npz, and each .obj that
/// has a rig's text. Throws Error: input for a file that is missing or of another kind; cannot_bind
/// where there is none, or none has a reference. `lonely`: names in folders without a reference.
std::vector<ScoreInput> find_inputs(const ScorePlaces& places, std::vector<std::string>& lonely);

}  // namespace gvbind
