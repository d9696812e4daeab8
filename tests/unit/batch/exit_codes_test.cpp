#include "common/exit_codes.h"

#include <catch2/catch.hpp>
#include <ios>
#include <new>
#include <stdexcept>
#include <system_error>

using namespace gvbind;

namespace {

template <typename Exception>
Error caught(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    return caught_error("fox.glb");
  }
}

}  // namespace

TEST_CASE("too little memory and no further thread are errors of the machine, not of the program") {
  const Error memory = caught(std::bad_alloc());
  CHECK(exit_code(memory.kind()) == 7);
  CHECK(std::string(memory.what()) == "fox.glb: out of memory");
  CHECK(exit_code(caught(std::system_error(
                             std::make_error_code(std::errc::resource_unavailable_try_again)))
                      .kind()) == 7);
}

TEST_CASE("a stream that fails is an error of the input, any other exception is internal") {
  CHECK(exit_code(caught(std::ios_base::failure("end of file")).kind()) == 3);
  CHECK(exit_code(caught(std::system_error(std::make_error_code(std::errc::io_error))).kind()) ==
        70);
  CHECK(exit_code(caught(std::logic_error("odd")).kind()) == 70);
}

TEST_CASE("an error that has a kind keeps it and its text") {
  const Error error = caught(Error(ErrorKind::cannot_bind, "no joints"));
  CHECK(exit_code(error.kind()) == 4);
  CHECK(std::string(error.what()) == "no joints");
}
