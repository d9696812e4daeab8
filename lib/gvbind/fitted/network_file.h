#pragma once

// Tested by tests/unit/gvbind/network_file_test.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gvbind/fitted/pair_network.h"

namespace gvbind {

/// A file of network parameters: lines of text, then the numbers of parts_of() of each network
/// as little-endian floats.
///
///   gvbind weights 2           file type and format version; 1: a single network
///   features 77 version 2      pair_feature_count and pair_feature_version
///   hidden 32
///   networks 3                 format 2 only
///   # ...                      notes about the training data, any number of lines
///   checksum 0123456789abcdef  FNV-1a of all bytes except this line
struct NetworkFile {
  FittedNetworks fitted;           ///< of one size
  std::vector<std::string> notes;  ///< without "# " and line breaks
};

std::vector<std::uint8_t> encode_network(const NetworkFile& file);

/// For untrusted bytes. Throws Error(input) with the reason and a remedy if the file is damaged,
/// has another format, or was trained on other features than this version's.
NetworkFile decode_network(std::span<const std::uint8_t> bytes, std::size_t features);

}  // namespace gvbind
