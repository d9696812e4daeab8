#include "platform/files.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/scratch_folder.h"

namespace gvbind::platform {

namespace {

namespace fs = std::filesystem;
using Kind = FileStatus::Kind;

fs::path written(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

std::string rest_of(int fd) {
  std::string text(64, ' ');
  const std::ptrdiff_t size = read_some(fd, text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

}  // namespace

TEST_CASE("the status of a file tells its kind, its size and which file it is") {
  const test::ScratchFolder folder;
  const fs::path file = written(folder.path() / "file", "four");
  const fs::path link = folder.path() / "link";
  fs::create_symlink("file", link);
  const auto own = status_of(file), followed = status_of(link), itself = status_of_link(link);
  REQUIRE((own && followed && itself));
  CHECK((own->kind == Kind::file && own->size == 4));
  CHECK(own->is_same_file(*followed));
  CHECK((itself->kind == Kind::link && !itself->is_same_file(*own)));
  CHECK(status_of(folder.path())->kind == Kind::folder);
  CHECK(!status_of(folder.path() / "none"));
  CHECK(errno == ENOENT);
}

TEST_CASE("a file is created once, rewritten from its start and appended to") {
  const test::ScratchFolder folder;
  const fs::path file = folder.path() / "file";
  const auto write = [&](OpenFor what, const char* text) {
    const int fd = open_file(file, what);
    if (fd < 0) return errno;
    CHECK(write_some(fd, text, 3) == 3);
    return close_file(fd);
  };
  CHECK(write(OpenFor::creating, "abc") == 0);
  CHECK(write(OpenFor::creating, "xyz") == EEXIST);
  CHECK(write(OpenFor::appending, "def") == 0);
  const int fd = open_file(file, OpenFor::reading);
  CHECK(rest_of(fd) == "abcdef");
  CHECK(close_file(fd) == 0);
  CHECK(write(OpenFor::rewriting, "ghi") == 0);
  CHECK(status_of(file)->size == 3);
}

TEST_CASE("files inside an open folder are those of that folder, and no links") {
  const test::ScratchFolder folder;
  const fs::path inner = folder.path() / "inner";
  REQUIRE(make_folder(inner) == 0);
  CHECK(make_folder(inner) == EEXIST);
  fs::create_directory_symlink("inner", folder.path() / "link");
  CHECK(open_folder(folder.path() / "link") == -1);
  const int fd = open_folder(inner);
  REQUIRE(fd >= 0);
  const int made = open_inside(fd, "new", OpenInside::to_create);
  REQUIRE(made >= 0);
  CHECK(write_some(made, "new", 3) == 3);
  CHECK(close_file(made) == 0);
  CHECK(open_inside(fd, "new", OpenInside::to_create) == -1);
  written(inner / "old", "old");
  CHECK(rename_inside(fd, "new", "old") == 0);
  const int read = open_inside(fd, "old", OpenInside::to_read);
  CHECK(rest_of(read) == "new");
  close_file(read);
  fs::create_symlink("old", inner / "pointer");
  CHECK(open_inside(fd, "pointer", OpenInside::to_read) == -1);
  CHECK(remove_inside(fd, "old") == 0);
  CHECK(remove_inside(fd, "old") == ENOENT);
  close_file(fd);
}

TEST_CASE("folders for temporary files differ, and constant paths are removed") {
  const test::ScratchFolder folder;
  fs::path one, other;
  REQUIRE(make_temporary_folder(folder.path(), one) == 0);
  REQUIRE(make_temporary_folder(folder.path(), other) == 0);
  CHECK(one != other);
  CHECK(make_temporary_folder(folder.path() / "none", other) == ENOENT);
  const fs::path file = written(one / "file", "");
  remove_folder(one.c_str());
  CHECK(fs::exists(one));
  remove_file(file.c_str());
  remove_folder(one.c_str());
  CHECK(!fs::exists(one));
}

}  // namespace gvbind::platform
