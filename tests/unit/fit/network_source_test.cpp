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
  FittedNetworks fitted = {{stepped_network(7, 5), stepped_network(7, 5)}};
  fitted.networks[1].own[3] = 5.0f;
  const FittedNetworks read = networks_of_steps(7, 5, 2, steps_in(fit::network_source(fitted, {})));
  REQUIRE(read.networks.size() == 2);
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t i = 0; i < network_part_count; ++i)
      CHECK(std::ranges::equal(parts_of(read.networks[n])[i], parts_of(fitted.networks[n])[i]));
}

TEST_CASE("the source of the default networks has lines of the usual width") {
  const PairNetwork one = stepped_network(79, 32);
  const std::string source = fit::network_source({{one, one, one}}, {"one", "two"});
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 118);
  CHECK(source.size() < 200'000);
}

TEST_CASE("notes stand at the top, wrapped") {
  const std::string source = fit::network_source(
      {{stepped_network(2, 2)}}, {"seed 4", std::string(60, 'a') + " " + std::string(60, 'b')});
  CHECK(source.starts_with("// Made by"));
  CHECK(source.find("\n// seed 4\n// aaa") != source.npos);
  CHECK(source.find("a\n// bbb") != source.npos);
  CHECK(source.find("default_networks()") != source.npos);
}

TEST_CASE("numbers that the text would not hold exactly are refused") {
  FittedNetworks fitted = {{stepped_network(2, 2)}};
  fitted.networks[0].linear[1] = 0.1f;
  CHECK_THROWS_AS(fit::network_source(fitted, {}), Error);
}
