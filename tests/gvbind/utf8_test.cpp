#include "gvbind/base/utf8.h"

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

TEST_CASE("what is printed moves no cursor, makes no line and commands no CI server") {
  CHECK(printable("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(printable("\x1b[31m\x07\x7f" + std::string(1, '\0')) == "\\x1b[31m\\x07\\x7f\\x00");
  CHECK(printable("\xc2\x9b") == "\\u009b");  // a terminal's control sequence
  CHECK(printable("\xe2\x80\xae"
                  "fdp.exe") == "\\u202efdp.exe");  // right to left from here on
  CHECK(printable("\xe2\x80\xa8\xef\xbb\xbf") == "\\u2028\\ufeff");
  CHECK(printable("\xff"
                  "a\xc3") == "\\xffa\\xc3");
  CHECK(printable("  ::error::x") == "  \\x3a:error::x");
  CHECK(printable("a::b") == "a::b");
  CHECK(printable("a ##[error]b ##vso[x]") == "a #\\x23[error]b #\\x23vso[x]");
  CHECK(printable("###[x ## y") == "##\\x23[x ## y");
  const std::string name =
      "h\xc3\xbc"
      "fte \xe9\xaa\xa8 100 %0A";
  CHECK(printable(name) == name);
  CHECK(printable(printable("\x1b\n::")) == printable("\x1b\n::"));
  CHECK(printable("") == "");
}

TEST_CASE("printable JSON says the same in other characters") {
  CHECK(printable_json("[\"a\\n##[x\xc2\x9b\xe2\x80\xae\x7f\"]\n") ==
        "[\"a\\n#\\u0023[x\\u009b\\u202e\\u007f\"]\n");
}

TEST_CASE("numbers for people are grouped, and one is singular") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(counted(1, "mesh", "meshes") == "1 mesh");
  CHECK(counted(0, "mesh", "meshes") == "0 meshes");
}

TEST_CASE("an error is one line, whatever name it quotes") {
  const Error error(ErrorKind::input, "joint 'a\nb\x1b[31m\xff': is nowhere");
  CHECK(std::string(error.what()) == "joint 'a\\nb\\x1b[31m\\xff': is nowhere");
  CHECK(error.kind() == ErrorKind::input);
}

TEST_CASE("lower case is of A to Z alone") {
  CHECK(lower_case("A.GlB\xc3\x84_9") == "a.glb\xc3\x84_9");
}
