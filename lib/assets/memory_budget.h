#pragma once

// Tested by tests/app/limits_test.py.

#include <cstdint>
#include <string>

namespace gvbind {

/// Adds up what a file will take before it is unpacked. Counts are the file's own claims; each
/// function throws Error(resource) where their sum needs more than the limit.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

  /// Bytes that come out of compressed data.
  void add_unpacked(std::uint64_t bytes);

  /// A mesh, as often as it is shown.
  void add_mesh(std::uint64_t vertices, std::uint64_t triangles);

 private:
  void refuse_beyond(std::uint64_t bytes, const std::string& what) const;

  std::uint64_t limit_, unpacked_ = 0, vertices_ = 0, triangles_ = 0;
};

}  // namespace gvbind
