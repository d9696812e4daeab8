#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "gvbind/error.h"
#include "support/scratch_folder.h"

namespace gvbind::test {

/// A temporary folder as the working directory of a test.
class WorkFolder : public ScratchFolder {
 public:
  WorkFolder() : before_(std::filesystem::current_path()) { std::filesystem::current_path(path()); }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }

 private:
  std::filesystem::path before_;
};

/// The message of an Error of this kind, which the call must throw.
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
