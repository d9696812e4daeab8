#pragma once

// Tested by tests/batch/batch_plan_test.cpp.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gvbind {

/// A file that may become an asset of the batch.
struct Candidate {
  std::filesystem::path input;
  std::string key;        ///< the input as an absolute path
  std::string shape;      ///< its path below the output directory, with the input's own extension
  std::string rule_path;  ///< what the rules of a manifest match
  bool named = false;     ///< by the user, one by one
  bool is_link = false;
  std::string asset_root;  ///< the directory given, or the manifest's; empty: the file's own
  std::optional<std::size_t> entry;  ///< where it is among Search::files
};

/// Where inputs are looked for, by a command line or a manifest.
struct Search {
  struct Place {
    std::string path;      ///< a directory, file or glob
    std::string location;  ///< comes before the path in messages
  };
  std::vector<Place> places;
  std::vector<std::string> files = {};  ///< listed one by one, be they there or not
  std::string root = {};        ///< shapes and what rules match are relative to it; may be empty
  std::string asset_root = {};  ///< of all candidates; empty: where each was found
};

/// What the places hold, each input once, and the files. `output` is not entered. Throws Error as
/// plan_batch does.
std::vector<Candidate> discover_inputs(const Search& search, const std::filesystem::path& output);

/// The name of the output for an input: a format that is not written leaves as .glb.
std::string output_name(const std::string& shape);

/// The path as an absolute one without "." and "..", by its text alone.
std::string absolute_text(const std::filesystem::path& path);

}  // namespace gvbind
