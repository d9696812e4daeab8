#include "fit/network_source.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "gvbind/error.h"

using namespace gvbind;

namespace {

PairNetwork stepped_network(std::size_t features, std::size_t hidden) {
  PairNetwork network = make_network(features, hidden);
  int k = 0;
  for (const std::span<float> part : parts_of(network))
    for (float& number : part) number = static_cast<float>(++k * 37 % 6001 - 3000) * network_step;
  return network;
}

/// The numbers between the braces.
std::vector<int> steps_in(const std::string& source) {
  const std::size_t begin = source.find("steps[] = {") + 11;
  std::istringstream text(source.substr(begin, source.find('}', begin) - begin));
  std::vector<int> steps;
  for (std::string number; std::getline(text, number, ',');)
    if (number.find_first_of("0123456789") != number.npos) steps.push_back(std::stoi(number));
  return steps;
}

}  // namespace

TEST_CASE("the numbers of a source are those of its network") {
  const PairNetwork network = stepped_network(7, 5);
  const PairNetwork read = network_of_steps(7, 5, steps_in(network_source(network, {})));
  for (std::size_t i = 0; i < network_part_count; ++i)
    CHECK(std::ranges::equal(parts_of(read)[i], parts_of(network)[i]));
}

TEST_CASE("the source of a network of the default size is no longer than others") {
  const std::string source = network_source(stepped_network(79, 32), {"one", "two"});
  std::istringstream lines(source);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= 118);
  CHECK(count <= 400);
}

TEST_CASE("notes stand at the top, wrapped") {
  const std::string source = network_source(
      stepped_network(2, 2), {"seed 4", std::string(60, 'a') + " " + std::string(60, 'b')});
  CHECK(source.starts_with("// Made by"));
  CHECK(source.find("\n// seed 4\n// aaa") != source.npos);
  CHECK(source.find("a\n// bbb") != source.npos);
  CHECK(source.find("default_network()") != source.npos);
}

TEST_CASE("numbers that the text would not hold exactly are refused") {
  PairNetwork network = stepped_network(2, 2);
  network.linear[1] = 0.1f;
  CHECK_THROWS_AS(network_source(network, {}), Error);
}
