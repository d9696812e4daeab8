#include "io/file_io.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "gvbind/base/parallel.h"
#include "gvbind/error.h"
#include "support/scratch_folder.h"

using namespace gvbind;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

std::vector<std::uint8_t> some_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 251);
  return bytes;
}

std::string refusal(const fs::path& path) {
  try {
    read_file(path);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a file is read whole, whatever its size") {
  const ScratchFolder folder;
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 3000001u}) {
    folder.write("a", some_bytes(size));
    CHECK(read_file(folder.path() / "a") == some_bytes(size));
  }
}

TEST_CASE("files that cannot be read give a reason") {
  const ScratchFolder folder;
  CHECK(refusal(folder.path()) == "is a folder");
  CHECK(refusal("/dev/zero") == "is not a regular file");
  CHECK(refusal(folder.path() / "none") == "cannot be opened: No such file or directory");
}

TEST_CASE("the first failing index is the least, on all threads") {
  CHECK(first_failing(100000, 16, [](std::size_t) { return true; }) == 100000);
  CHECK(first_failing(0, 16, [](std::size_t) { return false; }) == 0);
  for (const std::size_t least : {0u, 17u, 50001u, 99999u})
    CHECK(first_failing(100000, 16, [&](std::size_t i) {
            return i < least || (i != least && i % 7 != 0);
          }) == least);
}

TEST_CASE("of several tasks that throw the first in order has its say, and all are run") {
  for (int round = 0; round < 20; ++round) {
    std::vector<int> ran(64, 0);
    std::string said;
    try {
      parallel_each(ran.size(), [&](std::size_t i) {
        ran[i] = 1;
        if (i % 10 == 3) throw Error(ErrorKind::input, "task " + std::to_string(i));
      });
    } catch (const Error& error) {
      said = error.what();
    }
    CHECK(said == "task 3");
    CHECK(ran == std::vector<int>(64, 1));
  }
}
