#pragma once

// Tested by tests/unit/gvbind/network_file_test.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gvbind/fitted/pair_network.h"

namespace gvbind {

/// A file of weights. Its bytes: lines of text, then the numbers of parts_of() as little-endian
/// floats.
///
///   gvbind weights 1           what it is, and the version of the format
///   features 75 version 1      pair_feature_count and pair_feature_version
///   hidden 32
///   # ...                      any number of lines that say what it was fitted on
///   checksum 0123456789abcdef  FNV-1a of all bytes but this line
struct NetworkFile {
  PairNetwork network;
  std::vector<std::string> notes;  ///< without "# "; no line breaks
};

std::vector<std::uint8_t> encode_network(const NetworkFile& file);

/// For bytes from anywhere. Throws Error(input) that says what is wrong and what to do: for a file
/// that is damaged, of another format, or fitted on other features than those of this version.
NetworkFile decode_network(std::span<const std::uint8_t> bytes, std::size_t features);

}  // namespace gvbind
