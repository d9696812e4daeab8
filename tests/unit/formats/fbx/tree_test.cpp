#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "formats/fbx/tree.h"
#include "gvbind/error.h"

using namespace gvbind;

namespace {

FbxNode node_of(FbxProperty property) { return make_node("Values", {std::move(property)}); }

FbxProperty raw_array(char type, std::uint32_t count, std::uint32_t encoding, std::string body) {
  const std::uint32_t header[3] = {count, encoding, static_cast<std::uint32_t>(body.size())};
  FbxProperty property;
  property.type = type;
  property.data.assign(reinterpret_cast<const char*>(header), sizeof header);
  property.data += body;
  return property;
}

FbxProperty word(const std::string& text) {
  FbxProperty property;
  property.data = text;
  return property;
}

}  // namespace

TEST_CASE("arrays come back as they were made, plain and compressed") {
  for (const int count : {0, 1, 3, 16, 17, 5000}) {
    std::vector<double> numbers;
    std::vector<std::int32_t> integers;
    for (int i = 0; i < count; ++i) {
      numbers.push_back(std::sin(i) * 1e3);
      integers.push_back(i * 7 - 3);
    }
    const FbxProperty made = make_array(numbers);
    CHECK(array_count(made) == numbers.size());
    CHECK(doubles_of(node_of(made)) == numbers);
    CHECK(integers_of(node_of(make_array(integers))) == integers);
  }
  const std::vector<double> zeros(5000, 0.0);
  CHECK(make_array(zeros).data.size() < 1000);
}

TEST_CASE("arrays of every type are widened") {
  const float floats[] = {1.5f, -2.0f};
  const std::string bytes(reinterpret_cast<const char*>(floats), sizeof floats);
  CHECK(doubles_of(node_of(raw_array('f', 2, 0, bytes))) == std::vector<double>{1.5, -2.0});
  const std::int64_t longs[] = {5, -6};
  const std::string long_bytes(reinterpret_cast<const char*>(longs), sizeof longs);
  CHECK(integers_of(node_of(raw_array('l', 2, 0, long_bytes))) == std::vector<std::int32_t>{5, -6});
  CHECK(integers_of(node_of(raw_array('b', 2, 0, {1, 0}))) == std::vector<std::int32_t>{1, 0});
}

TEST_CASE("arrays that lie about themselves are refused") {
  CHECK_THROWS_AS(doubles_of(node_of(raw_array('d', 3, 0, "12345678"))), Error);
  CHECK_THROWS_AS(doubles_of(node_of(raw_array('d', 1, 7, "12345678"))), Error);
  CHECK_THROWS_AS(doubles_of(node_of(raw_array('d', 1, 1, "not deflated"))), Error);
  // Four billion numbers are not allocated, since a few bytes cannot contain them.
  CHECK_THROWS_AS(doubles_of(node_of(raw_array('d', 0xffffffffu, 1, "x"))), Error);
  FbxProperty shorter = make_array(std::vector<double>(100, 1.0));
  const std::uint32_t more = 101;
  std::memcpy(shorter.data.data(), &more, 4);
  CHECK_THROWS_AS(doubles_of(node_of(shorter)), Error);
  CHECK_THROWS_AS(integers_of(node_of(make_array(std::vector<double>{0.5}))), Error);
  CHECK_THROWS_AS(integers_of(node_of(make_array(std::vector<double>{1e30}))), Error);
}

TEST_CASE("scalars are read by their own type") {
  CHECK(integer_of(make_integer(-7)) == -7);
  CHECK(integer_of(make_long(std::int64_t{1} << 40)) == std::int64_t{1} << 40);
  CHECK(integer_of(make_number(3.0)) == 3);
  CHECK_FALSE(integer_of(make_number(3.5)));
  CHECK_FALSE(integer_of(make_number(std::numeric_limits<double>::quiet_NaN())));
  CHECK_FALSE(integer_of(make_text("3")));
  CHECK(number_of(make_number(2.5)) == 2.5);
  CHECK(text_of(make_text("a\"b")) == "a\"b");
  CHECK(text_of(make_integer(3)).empty());
}

TEST_CASE("words of ASCII files are read as numbers where they are such") {
  CHECK(number_of(word("-1.5e-05")) == -1.5e-05);
  CHECK(number_of(word("+2")) == 2.0);
  CHECK(integer_of(word("9007199254740993")) == 9007199254740993);
  CHECK(number_of(word("1e-400")) == 0.0);
  CHECK(std::isinf(*number_of(word("1e400"))));
  CHECK(std::isnan(*number_of(word("-1.#IND"))));
  CHECK_FALSE(number_of(word("T")));
  CHECK_FALSE(number_of(word("")));
  CHECK_FALSE(integer_of(word("99999999999999999999")));
}
