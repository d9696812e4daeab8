#include "gvbind/base/peak_memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace gvbind;

namespace {

constexpr std::size_t block_size = std::size_t{256} << 20;
constexpr const char* child_case = "a small process under a large parent reports its own peak";
constexpr const char* child_variable = "GVBIND_PEAK_OF_CHILD_BELOW";

/// Resident memory that the optimizer cannot remove.
class TouchedBlock {
 public:
  explicit TouchedBlock(std::size_t size) : bytes_(static_cast<char*>(std::malloc(size))) {
    REQUIRE(bytes_);
    std::memset(bytes_, 1, size);
    last_ = bytes_[size - 1];
  }
  TouchedBlock(const TouchedBlock&) = delete;
  TouchedBlock& operator=(const TouchedBlock&) = delete;
  ~TouchedBlock() { std::free(bytes_); }

 private:
  char* bytes_;
  volatile char last_ = 0;
};

/// Runs the last case below in a new process by fork and exec, and returns its exit code.
int run_child_case(const std::string& limit) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    setenv(child_variable, limit.c_str(), 1);
    execl("/proc/self/exe", "gvbind_test", child_case, static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("peak memory grows with touched pages and does not fall when they are freed") {
  const std::size_t before = peak_memory_bytes();
  REQUIRE(before > 0);
  { const TouchedBlock block(before + block_size); }
  const std::size_t after = peak_memory_bytes();
  CHECK(after > before + block_size / 2);
  CHECK(peak_memory_bytes() >= after);
}

TEST_CASE("a small process under a large parent reports its own peak") {
  if (const char* limit = std::getenv(child_variable)) {
    CHECK(peak_memory_bytes() > 0);
    CHECK(peak_memory_bytes() < std::stoull(limit));
    return;
  }
  const TouchedBlock block(block_size);
  REQUIRE(peak_memory_bytes() > block_size);
  CHECK(run_child_case(std::to_string(block_size)) == 0);
  CHECK(run_child_case("1") != 0);  // shows that the check in the child can fail
}
