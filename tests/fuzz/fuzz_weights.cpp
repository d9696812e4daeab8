#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gvbind/fitted/network_file.h"
#include "round_trip.h"

namespace {

using namespace gvbind;

/// Small, so that many mutations hit relevant bytes.
constexpr std::size_t features = 4;

void check_scores(const FittedNetworks& fitted) {
  const PairScorer scorer(fitted);
  std::vector<float> x(max_pairs * features), scores(max_pairs);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13) - 6.0f;
  scorer.score(x, scores);
  softmax(scores, scores);
  float sum = 0.0f;
  for (const float share : scores) sum += share;
  fuzz::require(std::abs(sum - 1.0f) < 1e-4f, "weights of a file that is taken sum to one");
}

/// Updates the checksum line, if there is one.
void correct_checksum(std::uint8_t* data, std::size_t size) {
  constexpr std::string_view key = "\nchecksum ";
  constexpr std::size_t digits = 16;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find(key);
  if (line == text.npos || size - line < key.size() + digits + 1) return;
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < size; ++i)
    if (i <= line || i > line + key.size() + digits) hash = (hash ^ data[i]) * 0x100000001b3u;
  for (std::size_t i = 0; i < digits; ++i)
    data[line + key.size() + i] =
        static_cast<std::uint8_t>("0123456789abcdef"[hash >> (60 - 4 * i) & 15]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  fuzz::accepts([&] {
    const std::vector<std::uint8_t> bytes(data, data + size);
    const NetworkFile file = decode_network(bytes, features);
    check_scores(file.fitted);
    fuzz::require(encode_network(file) == bytes, "a file that is taken is written as it was");
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

/// Mutations without the right checksum would all be rejected early.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, room);
  if (seed % 8 != 0) correct_checksum(data, size);
  return size;
}
