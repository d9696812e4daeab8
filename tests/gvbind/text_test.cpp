#include "gvbind/text.h"

#include <catch2/catch.hpp>

#include "gvbind/error.h"

using namespace gvbind;

TEST_CASE("names become clean UTF-8") {
  CHECK(clean_name("h\xc3\xbc"
                   "fte \xe9\xaa\xa8") ==
        "h\xc3\xbc"
        "fte \xe9\xaa\xa8");
  CHECK(clean_name("a\tb\x7f") == "a_b_");
  CHECK(clean_name("\xc0\xaf") == "__");            // overlong
  CHECK(clean_name("\xed\xa0\x80") == "___");       // surrogate
  CHECK(clean_name("\xf4\x90\x80\x80") == "____");  // past the last code point
  CHECK(clean_name("x\xe9\xaa") == "x__");          // cut short
  CHECK(clean_name("\xc2\x9b") == "_");             // a terminal's control sequence
  CHECK(one_line("  a \r\n\t b  ") == "a b");
}

TEST_CASE("an error is one line, whatever name it quotes") {
  const Error error(ErrorKind::input, "joint 'a\nb\x1b[31m\xff': is nowhere");
  CHECK(std::string(error.what()) == "joint 'a_b_[31m_': is nowhere");
  CHECK(error.kind() == ErrorKind::input);
}
