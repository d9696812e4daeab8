#include "mutate.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace gvbind::fuzz {
namespace {

struct Range {
  std::size_t begin, end;
};

std::vector<Range> numbers_of(const Bytes& text) {
  const auto in_number = [](std::uint8_t c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
  };
  std::vector<Range> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '-' && (text[i] < '0' || text[i] > '9')) continue;
    const std::size_t begin = i;
    while (i < text.size() && in_number(text[i])) ++i;
    found.push_back({begin, i});
  }
  return found;
}

std::vector<Range> lines_of(const Bytes& text) {
  std::vector<Range> found;
  for (std::size_t i = 0; i < text.size();) {
    const auto end = std::find(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), '\n');
    const std::size_t next = static_cast<std::size_t>(end - text.begin()) + (end != text.end());
    found.push_back({i, next});
    i = next;
  }
  return found;
}

Bytes part(const Bytes& bytes, Range range) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(range.begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(range.end)};
}

void replace(Bytes& bytes, Range range, const Bytes& with) {
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(range.begin);
  const auto after = bytes.erase(at, bytes.begin() + static_cast<std::ptrdiff_t>(range.end));
  bytes.insert(after, with.begin(), with.end());
}

Bytes odd_text(Random& random) {
  static constexpr std::array<std::string_view, 14> texts = {
      "0",   "-1",    "1e38", "1e308", "-1e999", "nan",        "1.#IND",
      "inf", "1e-45", "-0",   "65535", "65536",  "2147483648", "99999999999999999999"};
  if (pick(random, 3) == 0) {
    const std::string text = std::to_string(odd_integer(random));
    return {text.begin(), text.end()};
  }
  const std::string_view text = texts[pick(random, texts.size())];
  return {text.begin(), text.end()};
}

}  // namespace

std::size_t pick(Random& random, std::size_t count) { return count ? random() % count : 0; }

double odd_number(Random& random) {
  using Limits = std::numeric_limits<double>;
  static constexpr std::array<double, 22> values = {0.0,
                                                    -0.0,
                                                    1.0,
                                                    -1.0,
                                                    0.5,
                                                    1e-3,
                                                    -1e3,
                                                    1e6,
                                                    1e-30,
                                                    1e20,
                                                    -1e20,
                                                    1e38,
                                                    -1e38,
                                                    3.5e38,
                                                    1e-45,
                                                    1e150,
                                                    -1e300,
                                                    1e308,
                                                    Limits::denorm_min(),
                                                    Limits::quiet_NaN(),
                                                    Limits::infinity(),
                                                    -Limits::infinity()};
  return values[pick(random, values.size())];
}

std::int64_t odd_integer(Random& random) {
  static constexpr std::array<std::int64_t, 24> values = {
      0,          1,          2,           3,
      4,          -1,         -2,          7,
      127,        128,        255,         256,
      1000,       32767,      65535,       65536,
      1 << 24,    2147483647, -2147483648, 2147483648,
      4294967295, 4294967296, 1ll << 53,   std::numeric_limits<std::int64_t>::min()};
  return values[pick(random, values.size())];
}

Bytes mutate_bytes(Bytes bytes, std::size_t room) {
  const std::size_t size = std::min(bytes.size(), room);
  bytes.resize(room);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, room));
  return bytes;
}

Bytes mutate_text(Bytes bytes, std::size_t room, Random& random) {
  if (pick(random, 3) != 0) {
    const std::vector<Range> numbers = numbers_of(bytes);
    if (numbers.empty()) return mutate_bytes(std::move(bytes), room);
    const Range at = numbers[pick(random, numbers.size())];
    const Range other = numbers[pick(random, numbers.size())];
    replace(bytes, at, pick(random, 3) == 0 ? part(bytes, other) : odd_text(random));
    return bytes;
  }
  const std::vector<Range> lines = lines_of(bytes);
  if (lines.size() < 2) return mutate_bytes(std::move(bytes), room);
  const Range at = lines[pick(random, lines.size())];
  const Bytes other = part(bytes, lines[pick(random, lines.size())]);
  switch (pick(random, 3)) {
    case 0:
      replace(bytes, at, {});
      break;
    case 1:
      replace(bytes, at, other);
      break;
    default:
      replace(bytes, {at.begin, at.begin}, other);
  }
  return bytes;
}

std::size_t mutate_character(std::uint8_t* data, std::size_t size, std::size_t room,
                             unsigned seed) {
  Random random(seed);
  Bytes bytes(data, data + size);
  const auto starts_with = [&](std::string_view text) {
    return size >= text.size() && std::memcmp(data, text.data(), text.size()) == 0;
  };
  const std::size_t rounds = 1 + pick(random, 3);
  for (std::size_t i = 0; i < rounds; ++i) {
    if (pick(random, 4) == 0)
      bytes = mutate_bytes(std::move(bytes), room);
    else if (starts_with("glTF") || starts_with("{"))
      bytes = mutate_gltf(std::move(bytes), room, random);
    else
      bytes = mutate_fbx(std::move(bytes), room, random);
  }
  if (bytes.empty() || bytes.size() > room) return LLVMFuzzerMutate(data, size, room);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

}  // namespace gvbind::fuzz
