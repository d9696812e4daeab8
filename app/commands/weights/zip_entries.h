#pragma once

// Tested by tests/command/weights_test.py.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace gvbind {

/// The files of a ZIP archive, by name.
using ZipEntries = std::vector<std::pair<std::string, std::string>>;

/// The same entries give the same bytes: all are uncompressed and dated 1980-01-01.
std::string zip_of(const ZipEntries& entries);

/// Throws Error(input) for other files, for an entry with a wrong checksum, and where all entries
/// together are larger than `max_bytes`.
ZipEntries read_zip(const std::vector<std::uint8_t>& bytes,
                    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace gvbind
