#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gvbind/error.h"

namespace gvbind::test {

/// A folder of its own for a test, which works in it and leaves nothing behind.
class WorkFolder {
 public:
  WorkFolder() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "gvbind-batch-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
    std::filesystem::current_path(path_);
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file and the folders above it.
  void put(const std::string& name, const std::string& content = "") const {
    const std::filesystem::path whole = path_ / name;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole, std::ios::binary) << content;
    REQUIRE(std::filesystem::exists(whole));
  }

 private:
  std::filesystem::path before_, path_;
};

/// The message of the Error of this kind that the call must throw.
template <typename Call>
std::string message_of(ErrorKind kind, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  FAIL("nothing was thrown");
  return {};
}

}  // namespace gvbind::test
