#include "io/base64.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gvbind {
namespace {

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<std::int8_t, 256> base64_values() {
  std::array<std::int8_t, 256> values;
  values.fill(-1);
  for (std::size_t i = 0; i < base64_digits.size(); ++i)
    values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::int8_t>(i);
  values[static_cast<unsigned char>('-')] = 62;  // the URL-safe alphabet occurs in real files
  values[static_cast<unsigned char>('_')] = 63;
  return values;
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < there ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= there ? base64_digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string base64(std::string_view bytes) {
  return base64(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text) {
  static const std::array<std::int8_t, 256> values = base64_values();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<std::uint8_t> out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = values[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffffu;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out.push_back(static_cast<std::uint8_t>(bits >> held & 0xffu));
  }
  return out;
}

}  // namespace gvbind
