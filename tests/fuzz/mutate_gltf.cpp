#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "mutate.h"

namespace gvbind::fuzz {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t header_size = 12, chunk_header_size = 8;
constexpr std::uint32_t magic = 0x46546c67, json_chunk = 0x4e4f534a, bin_chunk = 0x004e4942;
constexpr std::size_t largest_copy = 4096;  // bytes of JSON

std::uint32_t word_at(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put_word(Bytes& bytes, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

void put_chunk(Bytes& bytes, std::uint32_t type, Bytes body, std::uint8_t padding) {
  body.resize((body.size() + 3) / 4 * 4, padding);
  put_word(bytes, body.size());
  put_word(bytes, type);
  bytes.insert(bytes.end(), body.begin(), body.end());
}

struct Container {
  Bytes json, bin;
};

/// Both chunks are empty if the container is damaged.
Container split(const Bytes& glb) {
  Container out;
  const std::size_t json_size = word_at(glb, header_size);
  const std::size_t json_at = header_size + chunk_header_size;
  if (glb.size() < json_at || json_size > glb.size() - json_at) return out;
  const auto start = glb.begin() + static_cast<std::ptrdiff_t>(json_at);
  out.json.assign(start, start + static_cast<std::ptrdiff_t>(json_size));
  const std::size_t bin_at = json_at + json_size + chunk_header_size;
  if (bin_at < glb.size())
    out.bin.assign(glb.begin() + static_cast<std::ptrdiff_t>(bin_at), glb.end());
  return out;
}

Bytes joined(const Container& parts) {
  Bytes body, out;
  put_chunk(body, json_chunk, parts.json, ' ');
  if (!parts.bin.empty()) put_chunk(body, bin_chunk, parts.bin, 0);
  put_word(out, magic);
  put_word(out, 2);
  put_word(out, header_size + body.size());
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

/// The JSON writer is recursive, so deep nesting would overflow the stack.
bool is_deep(const Bytes& text) {
  constexpr int deepest = 64;
  int depth = 0, most = 0;
  for (const std::uint8_t c : text) {
    if (c == '[' || c == '{') most = std::max(most, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return most > deepest;
}

void collect(Json& value, std::vector<Json*>& numbers, std::vector<Json*>& all) {
  if (value.is_number()) numbers.push_back(&value);
  all.push_back(&value);
  if (value.is_structured())
    for (Json& child : value) collect(child, numbers, all);
}

Json odd_value(Random& random) {
  static const Json values = {nullptr,
                              true,
                              "",
                              "VEC3",
                              "data:,",
                              "-1",
                              Json::array(),
                              Json::object(),
                              Json::array({0}),
                              Json::array({1, 2, 3})};
  const std::size_t kind = pick(random, 4);
  if (kind == 0) return values[pick(random, values.size())];
  if (kind == 1) return odd_integer(random);
  const double number = odd_number(random);
  return std::isfinite(number) ? Json(number) : Json(1e308);
}

void change_number(Json& number, Json& other, Random& random) {
  switch (pick(random, 4)) {
    case 0:
      number = odd_value(random);
      break;
    case 1:
      number = Json(other);
      break;
    case 2:
      if (number.is_number_unsigned() && number.get<std::uint64_t>() < 1u << 30)
        number = number.get<int>() + (pick(random, 2) ? 1 : -1);
      break;
    default:
      number = number.get<double>() * (pick(random, 2) ? -1.0 : 1000.0);
      if (!std::isfinite(number.get<double>())) number = 0;
  }
}

void change_structure(Json& at, Json& other, Random& random) {
  switch (pick(random, 4)) {
    case 0:
      at = odd_value(random);
      break;
    case 1:
      if (Json copy = other; copy.dump().size() < largest_copy) at = std::move(copy);
      break;
    case 2:
      if (!at.is_structured() || at.empty()) break;
      at.erase(std::next(at.begin(), static_cast<std::ptrdiff_t>(pick(random, at.size()))));
      break;
    default:
      if (!at.is_array() || at.empty()) break;
      if (Json copy = at[pick(random, at.size())]; copy.dump().size() < largest_copy)
        at.push_back(std::move(copy));
  }
}

Bytes mutate_json(const Bytes& text, std::size_t room, Random& random) {
  if (is_deep(text)) return mutate_bytes(text, room);
  Json root = Json::parse(text.begin(), text.end(), nullptr, false);
  if (root.is_discarded()) return mutate_bytes(text, room);
  std::vector<Json*> numbers, all;
  collect(root, numbers, all);
  if (!numbers.empty() && pick(random, 3) != 0)
    change_number(*numbers[pick(random, numbers.size())], *numbers[pick(random, numbers.size())],
                  random);
  else
    change_structure(*all[pick(random, all.size())], *all[pick(random, all.size())], random);
  const std::string out = root.dump(-1, ' ', false, Json::error_handler_t::replace);
  return {out.begin(), out.end()};
}

template <typename T>
void put_at(Bytes& bytes, T value, Random& random) {
  if (bytes.size() < sizeof value) return;
  const std::size_t at = pick(random, bytes.size() / sizeof value) * sizeof value;
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void mutate_bin(Bytes& bin, std::size_t room, Random& random) {
  switch (pick(random, 5)) {
    case 0:
      bin = mutate_bytes(std::move(bin), room);
      break;
    case 1:
      put_at(bin, static_cast<std::uint16_t>(odd_integer(random)), random);
      break;
    case 2:
      put_at(bin, static_cast<std::uint32_t>(odd_integer(random)), random);
      break;
    default:
      for (std::size_t i = 0; i <= pick(random, 4); ++i)
        put_at(bin, static_cast<float>(odd_number(random)), random);
  }
}

}  // namespace

Bytes mutate_gltf(Bytes bytes, std::size_t room, Random& random) {
  if (word_at(bytes, 0) != magic)
    return pick(random, 3) == 0 ? mutate_text(std::move(bytes), room, random)
                                : mutate_json(bytes, room, random);
  Container parts = split(bytes);
  if (parts.json.empty()) return mutate_bytes(std::move(bytes), room);
  switch (pick(random, 6)) {
    case 0:
      parts.json = mutate_text(std::move(parts.json), room, random);
      break;
    case 1:
    case 2:
      mutate_bin(parts.bin, room, random);
      break;
    default:
      parts.json = mutate_json(parts.json, room, random);
  }
  return joined(parts);
}

}  // namespace gvbind::fuzz
