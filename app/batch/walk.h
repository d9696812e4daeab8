#pragma once

// Tested by tests/batch/batch_plan_test.cpp.

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace gvbind {

struct WalkOptions {
  std::filesystem::path skip;  ///< not entered, unless it is the root; may be empty
  bool hidden = false;         ///< enter hidden directories and take hidden files
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();  ///< 1: files of the root alone
  std::function<bool(const std::string& relative)> wanted;          ///< of a file
};

struct FoundFile {
  std::string relative;  ///< below the root, with '/'
  bool is_link = false;
};

/// Files below a directory, and links to something that is no directory, in an order that depends
/// on their names alone. Links to directories are followed after the directories themselves, none
/// to one above the root, and no directory is entered twice. Throws Error(input) for a directory
/// that cannot be listed.
std::vector<FoundFile> walk_directory(const std::filesystem::path& root,
                                      const WalkOptions& options);

}  // namespace gvbind
