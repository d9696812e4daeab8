#pragma once

// Tested by tests/command/weights_test.py.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gvbind {

/// The files of a ZIP archive, by name.
using ZipEntries = std::vector<std::pair<std::string, std::string>>;

/// The same entries give the same bytes: none is compressed, and all have the date of 1980.
std::string zip_of(const ZipEntries& entries);

/// Throws Error(input) for what is no such archive, and for an entry whose checksum is wrong.
ZipEntries read_zip(const std::vector<std::uint8_t>& bytes);

}  // namespace gvbind
