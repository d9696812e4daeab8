#include "io/read_options.h"

#include <algorithm>
#include <limits>
#include <string>

#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Both without symbolic links.
bool holds(const fs::path& directory, const fs::path& file) {
  return std::mismatch(directory.begin(), directory.end(), file.begin(), file.end()).first ==
         directory.end();
}

bool any_holds(const AssetRoot& root, const fs::path& real) {
  return std::ranges::any_of(root.directories,
                             [&](const fs::path& directory) { return holds(directory, real); });
}

// A bind takes about 350 bytes per vertex of a closed mesh. The lower estimate reports only files
// that are certain to fail.
constexpr std::uint64_t bytes_of_vertex = 160, bytes_of_triangle = 80;
// Raw values, numbers, and positions.
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

AssetRoot asset_root_of(const fs::path& document, const fs::path& wider) {
  AssetRoot root;
  widen(root, document.has_parent_path() ? document.parent_path() : ".");
  if (!wider.empty()) widen(root, wider);
  return root;
}

void widen(AssetRoot& root, const fs::path& directory) {
  std::error_code error;
  fs::path real = fs::canonical(directory, error);
  if (!error) root.directories.push_back(std::move(real));
}

bool lies_under(const AssetRoot& root, const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(file, error), error);
  return !error && any_holds(root, real);
}

std::string outside_text(const AssetRoot& root) {
  std::string directories;
  for (const fs::path& directory : root.directories)
    directories += (directories.empty() ? "" : " and ") + path_text(directory);
  return "lies outside " + directories +
         ", the only place that this asset may read; --asset-root DIR adds a folder";
}

std::vector<std::uint8_t> read_file_under(const AssetRoot& root, const fs::path& path) {
  return read_file(path, [&](const fs::path& real) {
    if (!any_holds(root, real)) throw Error(ErrorKind::input, outside_text(root));
  });
}

void MemoryBudget::refuse_beyond(std::uint64_t bytes, const std::string& what) const {
  if (bytes > limit_)
    throw Error(ErrorKind::resource, what + ", which takes more than " + mebibytes(bytes) +
                                         " of memory; " + mebibytes(limit_) +
                                         " is the limit (--max-memory)");
}

void MemoryBudget::add_unpacked(std::uint64_t bytes) {
  unpacked_ = sum(unpacked_, bytes);
  refuse_beyond(sum(tree_, product(copies_of_unpacked, unpacked_)),
                "its data unpack to " + mebibytes(unpacked_) + " and more");
}

void MemoryBudget::add_tree(std::uint64_t bytes) {
  tree_ = sum(tree_, bytes);
  refuse_beyond(sum(tree_, product(copies_of_unpacked, unpacked_)),
                "it has single values for " + mebibytes(tree_) + " and more");
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
