#include "gvbind/base/utf8.h"

#include <catch2/catch.hpp>

#include "gvbind/base/mend_utf8.h"
#include "gvbind/error.h"

using namespace gvbind;

TEST_CASE("names become clean UTF-8") {
  CHECK(clean_name("h\xc3\xbc"
                   "fte \xe9\xaa\xa8") ==
        "h\xc3\xbc"
        "fte \xe9\xaa\xa8");
  CHECK(clean_name("a\tb\x7f") == "a_b_");
  CHECK(clean_name("\xc2\x9b") == "_");  // a terminal's control sequence
  CHECK(clean_name("\x9b") == "_");
  CHECK(one_line("  a \r\n\t b  ") == "a b");
}

TEST_CASE("bytes that are not UTF-8 are read as Latin-1, and valid UTF-8 stays") {
  for (const char* fine : {"", "plain", "\xc3\xbc te \xe9\xaa\xa8 \xf0\x9f\xa6\xb4", "a\nb"}) {
    CAPTURE(fine);
    CHECK(mend_utf8(fine) == fine);
    CHECK(find_bad_utf8(fine) == std::string::npos);
  }
  CHECK(mend_utf8("H\xe4ut") == "H\xc3\xa4ut");
  CHECK(mend_utf8("h\xc3\xbc \xfc") == "h\xc3\xbc \xc3\xbc");
  CHECK(mend_utf8("\xc0\xaf") == "\xc3\x80\xc2\xaf");              // overlong
  CHECK(mend_utf8("\xed\xa0\x80") == "\xc3\xad\xc2\xa0\xc2\x80");  // surrogate
  CHECK(mend_utf8("\xf4\x90\x80\x80").size() == 8);                // beyond the last code point
  CHECK(mend_utf8("x\xe9\xaa") == "x\xc3\xa9\xc2\xaa");            // truncated
  CHECK(mend_utf8(mend_utf8("\xff\x80")) == mend_utf8("\xff\x80"));
  CHECK(find_bad_utf8("ab\xff") == 2);
  CHECK(find_bad_utf8("\xc3\xbc\xc3") == 2);
}

TEST_CASE("printed text moves no cursor, breaks no line and commands no CI server") {
  CHECK(printable("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(printable("\x1b[31m\x07\x7f" + std::string(1, '\0')) == "\\x1b[31m\\x07\\x7f\\x00");
  CHECK(printable("\xc2\x9b") == "\\u009b");  // a terminal's control sequence
  CHECK(printable("\xe2\x80\xae"
                  "fdp.exe") == "\\u202efdp.exe");  // right-to-left override
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
