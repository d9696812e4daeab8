#include "gvbind/fitted/network_file.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "gvbind/error.h"
#include "gvbind/fitted/pair_features.h"
#include "gvbind/network.h"

using namespace gvbind;

namespace {

constexpr std::size_t features = 5;

NetworkFile sample_file(std::size_t networks = 1) {
  NetworkFile file;
  file.fitted.networks.resize(networks, make_network(features, 3));
  int k = 0;
  for (PairNetwork& network : file.fitted.networks)
    for (const std::span<float> part : parts_of(network))
      for (float& number : part) number = 0.25f * static_cast<float>(++k % 23 - 11);
  file.notes = {"input hero.fbx 0123 anna", "seed 4"};
  return file;
}

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

Bytes replaced(const Bytes& bytes, const std::string& from, const std::string& to) {
  std::string text(bytes.begin(), bytes.end());
  return bytes_of(text.replace(text.find(from), from.size(), to));
}

std::string why_refused(const Bytes& bytes, std::size_t count = features) {
  try {
    decode_network(bytes, count);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file of weights reads back as it was written, and begins with text") {
  const NetworkFile file = sample_file();
  const Bytes bytes = encode_network(file);
  const NetworkFile read = decode_network(bytes, features);
  CHECK(read.notes == file.notes);
  REQUIRE(read.fitted.networks.size() == 1);
  const PairNetwork& network = read.fitted.networks[0];
  CHECK(network.hidden == 3);
  for (std::size_t i = 0; i < network_part_count; ++i)
    CHECK(std::ranges::equal(parts_of(network)[i], parts_of(file.fitted.networks[0])[i]));
  const std::string text(bytes.begin(), bytes.end());
  CHECK(text.starts_with("gvbind weights 1\nfeatures 5 version 2\nhidden 3\n# input hero.fbx"));
  CHECK(encode_network(read) == bytes);
}

TEST_CASE("a file of several networks holds all of them, one after the other") {
  const NetworkFile file = sample_file(3);
  const Bytes bytes = encode_network(file);
  const std::string text(bytes.begin(), bytes.end());
  CHECK(text.starts_with("gvbind weights 2\nfeatures 5 version 2\nhidden 3\nnetworks 3\n# "));
  const NetworkFile read = decode_network(bytes, features);
  REQUIRE(read.fitted.networks.size() == 3);
  for (std::size_t n = 0; n < 3; ++n)
    for (std::size_t i = 0; i < network_part_count; ++i)
      CHECK(std::ranges::equal(parts_of(read.fitted.networks[n])[i],
                               parts_of(file.fitted.networks[n])[i]));
  CHECK(encode_network(read) == bytes);
  for (const char* count : {"networks 0", "networks 1", "networks 9", "networks 99999999"})
    CHECK(why_refused(replaced(bytes, "networks 3", count)).find("number of networks") !=
          std::string::npos);
  CHECK(why_refused(replaced(bytes, "networks 3", "networks 2")).find("bytes of numbers") !=
        std::string::npos);
}

TEST_CASE("programs read a file of weights that was fitted on the features of this version") {
  NetworkFile file = sample_file();
  CHECK_THROWS_AS(decode_network(encode_network(file)), Error);
  file.fitted.networks = {make_network(pair_feature_count, 3)};
  const std::shared_ptr<const FittedNetworks> fitted = decode_network(encode_network(file));
  REQUIRE(fitted);
  CHECK(fitted->networks.front().hidden == 3);
}

TEST_CASE("each byte of a file of weights that differs is found, and so is each that is missing") {
  const Bytes bytes = encode_network(sample_file());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const int flip : {1, 0x80}) {
      Bytes damaged = bytes;
      damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ flip);
      CHECK_FALSE(why_refused(damaged).empty());
    }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(why_refused({bytes.begin(), bytes.begin() + static_cast<long>(size)}).empty());
  Bytes longer = bytes;
  longer.push_back(0);
  CHECK(why_refused(longer).find("bytes of numbers") != std::string::npos);
}

TEST_CASE("errors of a network file name the problem and a remedy") {
  const Bytes bytes = encode_network(sample_file());
  const auto says = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  says(why_refused(bytes_of("glTF")), "not a file of weights");
  says(why_refused(bytes_of("")), "not a file of weights");
  says(why_refused(replaced(bytes, "weights 1", "weights 9")),
       "of format 9, this gvbind reads formats up to 2");
  says(why_refused(replaced(bytes, "version 2", "version 9")), "fit them again with this gvbind");
  says(why_refused(bytes, features + 1), "fit them again with this gvbind");
  says(why_refused(replaced(bytes, "hidden 3", "hidden 9999999")), "damaged");
  says(why_refused(replaced(bytes, "hidden 3", "hidden 4")), "bytes of numbers");
  says(why_refused(replaced(bytes, "anna", "otto")), "checksum differs");
}

TEST_CASE("numbers that are not finite or huge are refused even with the right checksum") {
  for (const float number : {INFINITY, -INFINITY, NAN, 1e5f, -1e30f}) {
    NetworkFile file = sample_file();
    file.fitted.networks[0].own[2] = number;
    CHECK(why_refused(encode_network(file)).find("not finite, or too large") != std::string::npos);
  }
}

TEST_CASE("a line break in a note does not end it") {
  NetworkFile file = sample_file();
  file.notes = {"one\nchecksum two"};
  CHECK(decode_network(encode_network(file), features).notes ==
        std::vector<std::string>{"one checksum two"});
}
