#pragma once

// Tested by tests/command/limits_test.py.

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/read_options.h"

namespace gvbind {

/// The limits that a user gives.
struct ReadLimits {
  std::string asset_root;        ///< see asset_root_of; empty: the document's own directory alone
  std::uint64_t max_memory = 0;  ///< bytes; 0: four fifths of the machine's
};

ReadOptions read_options(const ReadLimits& limits, const std::filesystem::path& document);

/// `given`, or four fifths of the machine's memory where that is 0.
std::uint64_t memory_limit(std::uint64_t given);

}  // namespace gvbind
