#pragma once

// Tested by tests/unit/batch/batch_plan_test.cpp.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/finding.h"
#include "io/glob.h"

namespace gvbind {

/// Whether the text contains *, ? or [, and so may be a pattern.
bool has_wildcards(std::string_view text);

/// Whether the pattern matches the whole path. Both are split at '/'; each part of the pattern
/// matches one part of the path by matches_glob(), and ** matches any number of parts, including
/// none. Needs linear space, and no pattern takes exponential time.
bool matches_path(std::string_view pattern, std::string_view path);

/// As matches_path(), but a pattern without '/' matches the file name in any directory.
bool matches_rule(std::string_view pattern, std::string_view path);

struct SplitGlob {
  std::string base;     ///< the directories before the first wildcard; empty: the working directory
  std::string pattern;  ///< the rest
};
/// `literal`: number of characters at the start that are taken as they are.
SplitGlob split_glob(std::string_view glob, std::size_t literal = 0);

/// A file that may become an asset of the batch.
struct Candidate {
  std::filesystem::path input;
  std::string key;        ///< the input as an absolute path
  std::string shape;      ///< path below the output directory, with the input's extension
  std::string rule_path;  ///< path to compare with the rules of a manifest
  bool named = false;     ///< listed by name
  bool is_link = false;
  std::string asset_root;  ///< the given directory, or the manifest's; empty: the file's own
  std::optional<std::size_t> entry;  ///< index in Search::files
};

/// Where to look for inputs, from a command line or a manifest.
struct Search {
  struct Place {
    std::string path;         ///< a directory, file or glob
    std::string location;     ///< precedes the path in messages
    std::size_t literal = 0;  ///< characters at the start of the path that are no pattern
  };
  std::vector<Place> places;
  std::vector<std::string> files = {};  ///< listed by name; they may be missing
  std::string root = {};                ///< shapes and rule paths are relative to it; may be empty
  std::string asset_root = {};  ///< of all candidates; empty: the directory in which each was found
};

/// All inputs in the places, each once, and the listed files. `output` is not entered. Throws Error
/// as plan_batch does. `unreadable` takes a finding for each folder below a place that cannot be
/// listed; where it is null, that throws too.
std::vector<Candidate> discover_inputs(const Search& search, const std::filesystem::path& output,
                                       Findings* unreadable = nullptr);

/// The name of an input's output: formats that gvbind does not write become .glb.
std::string output_name(const std::string& shape);

/// An absolute path without "." and "..", from the text alone: links are not resolved.
std::string absolute_text(const std::filesystem::path& path);

}  // namespace gvbind
