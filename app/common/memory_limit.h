#pragma once

// Tested by tests/app/limits_test.py.

#include <cstdint>
#include <filesystem>
#include <string>

#include "assets/read_options.h"

namespace gvbind {

/// The limits of the commands that only read documents.
struct ReadLimits {
  std::string asset_root;        ///< see asset_root_of; empty: the document's own directory alone
  std::uint64_t max_memory = 0;  ///< bytes; 0: four fifths of the machine's
};

ReadOptions read_options(const ReadLimits& limits, const std::filesystem::path& document);

/// `given`, or four fifths of what the machine has where that is 0.
std::uint64_t memory_limit(std::uint64_t given);

/// From now on what this process asks for beyond so many bytes, besides what it has and some that
/// threads reserve, is std::bad_alloc, here and in the processes that it forks.
void limit_memory(std::uint64_t bytes);

}  // namespace gvbind
