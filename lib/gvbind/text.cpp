#include "gvbind/text.h"

#include <cstddef>
#include <cstdint>

namespace gvbind {
namespace {

/// Bytes of the well-formed UTF-8 sequence at `at`, 0 where there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  const std::uint8_t second = byte(at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool too_large = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

}  // namespace

std::string clean_name(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const auto lead = static_cast<std::uint8_t>(text[at]);
    const bool c1 = lead == 0xC2 && length == 2 && static_cast<std::uint8_t>(text[at + 1]) < 0xA0;
    const bool control = lead < 0x20 || lead == 0x7F || c1;
    if (length == 0 || control)
      clean += '_';
    else
      clean += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return clean;
}

std::string one_line(std::string_view text) {
  std::string spaced;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
    if (!blank)
      spaced += c;
    else if (!spaced.empty() && spaced.back() != ' ')
      spaced += ' ';
  }
  while (!spaced.empty() && spaced.back() == ' ') spaced.pop_back();
  return clean_name(spaced);
}

}  // namespace gvbind
