#pragma once

// Tested by tests/unit/batch/batch_plan_test.cpp.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/glob.h"

namespace gvbind {

/// Whether the text holds *, ? or [, and so may be meant as a pattern.
bool has_wildcards(std::string_view text);

/// Whether the pattern matches the whole path. Both are split at '/': a part of the pattern matches
/// a part of the path as matches_glob (assets/selection.h) does, and ** matches any number of
/// parts, none too. In linear space, and in time that no pattern can blow up.
bool matches_path(std::string_view pattern, std::string_view path);

/// As matches_path, but a pattern without '/' matches the file's name in any directory.
bool matches_rule(std::string_view pattern, std::string_view path);

struct SplitGlob {
  std::string base;     ///< the directories before the first wildcard; empty: the working directory
  std::string pattern;  ///< the rest
};
SplitGlob split_glob(std::string_view glob);

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
