#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvbind {

/// A file of an output: the main one has an empty relative path, others (buffers) one beside it.
struct EncodedFile {
  std::string relative_path;
  std::vector<std::uint8_t> bytes;
};

}  // namespace gvbind
