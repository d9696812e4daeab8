#include "common/content_hash.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

TEST_CASE("a hash is XXH3-128 of the bytes") {
  const ScratchFolder folder;
  // The published hash of empty input.
  CHECK(read_content(folder.write("empty", ""))->hash == "99aa06d3014798d86001c324468d497f");
  const std::string text(1'000'003, 'x');
  const auto content = read_content(folder.write("long", text));
  REQUIRE(content);
  CHECK(content->size == text.size());
  CHECK(content->hash == hash_of(text));
  CHECK(content->hash != hash_of(text + "x"));
}

TEST_CASE("only bytes count, not times") {
  const ScratchFolder folder;
  const fs::path path = folder.write("a", "abc");
  const FileContent before = *read_content(path);
  fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::hours(5));
  CHECK(has_content(path, before));
  folder.write("a", "abd");
  CHECK_FALSE(has_content(path, before));
  folder.write("a", "abcd");
  CHECK_FALSE(has_content(path, before));
}

TEST_CASE("anything but a readable file has no content, and opening it does not block") {
  const ScratchFolder folder;
  CHECK_FALSE(read_content(folder.path() / "lost"));
  CHECK_FALSE(read_content(folder.path()));
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_FALSE(read_content(pipe));
  CHECK_FALSE(has_content(pipe, {}));
}
