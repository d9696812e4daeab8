#include "assets/memory_budget.h"

#include <limits>
#include <string>

#include "assets/number_text.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

// A bind takes some 350 bytes per vertex of a closed mesh; only what is certain to fail is
// reported.
constexpr std::uint64_t bytes_of_vertex = 160, bytes_of_triangle = 80;
// The values as they come, as numbers, and as positions.
constexpr std::uint64_t copies_of_unpacked = 3;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

}  // namespace

void MemoryBudget::refuse_beyond(std::uint64_t bytes, const std::string& what) const {
  if (bytes > limit_)
    throw Error(ErrorKind::resource, what + ", which takes more than " + mebibytes(bytes) +
                                         " of memory; " + mebibytes(limit_) +
                                         " is the limit (--max-memory)");
}

void MemoryBudget::add_unpacked(std::uint64_t bytes) {
  unpacked_ = sum(unpacked_, bytes);
  refuse_beyond(product(copies_of_unpacked, unpacked_),
                "its compressed data unpack to " + mebibytes(unpacked_) + " and more");
}

void MemoryBudget::add_mesh(std::uint64_t vertices, std::uint64_t triangles) {
  vertices_ = sum(vertices_, vertices);
  triangles_ = sum(triangles_, triangles);
  refuse_beyond(sum(product(bytes_of_vertex, vertices_), product(bytes_of_triangle, triangles_)),
                "its meshes have " + std::to_string(vertices_) + " vertices and " +
                    std::to_string(triangles_) +
                    " triangles or more, counted as often as they are shown");
}

}  // namespace gvbind
