#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvbind {

/// A file of an output. The main file has an empty relative path, others (buffers) a path relative
/// to it.
struct EncodedFile {
  std::string relative_path;
  std::vector<std::uint8_t> bytes;
};

}  // namespace gvbind
