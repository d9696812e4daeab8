#include "gvbind/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "gvbind/base/mend_utf8.h"

namespace gvbind {

namespace {

/// Length in bytes of the valid UTF-8 sequence at `at`; 0 if invalid.
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

/// `sequence`: valid.
std::uint32_t code_point(std::string_view sequence) {
  std::uint32_t code = static_cast<std::uint8_t>(sequence.front());
  if (sequence.size() > 1) code &= 0x7FU >> sequence.size();
  for (const char c : sequence.substr(1)) code = code << 6 | (static_cast<std::uint8_t>(c) & 0x3FU);
  return code;
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

bool reorders_text(std::uint32_t code) {
  return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// Line and paragraph separator, and the byte order mark.
bool is_unseen(std::uint32_t code) { return code == 0x2028 || code == 0x2029 || code == 0xFEFF; }

bool is_unprintable(std::uint32_t code) {
  return is_control(code) || reorders_text(code) || is_unseen(code);
}

std::string hexadecimal(const char* format, std::uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string escape_of(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  return code < 0x80 ? hexadecimal("\\x%02x", code) : hexadecimal("\\u%04x", code);
}

/// Sequences that GitHub, Azure and TeamCity interpret as commands anywhere in a line.
bool opens_command(std::string_view rest) {
  return rest.starts_with("##[") || rest.starts_with("##vso[") || rest.starts_with("##teamcity[");
}

std::string formatted(double value, std::chars_format format, int digits) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr;
  return {text.data(), end};
}

}  // namespace

std::size_t find_bad_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string mend_utf8(std::string text) {
  const std::size_t first = find_bad_utf8(text);
  if (first == std::string::npos) return text;
  std::string mended = text.substr(0, first);
  for (std::size_t at = first; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length > 0) {
      mended.append(text, at, length);
    } else {
      const auto byte = static_cast<std::uint8_t>(text[at]);
      mended += static_cast<char>(0xC0U | byte >> 6U);
      mended += static_cast<char>(0x80U | (byte & 0x3FU));
    }
    at += std::max<std::size_t>(1, length);
  }
  return mended;
}

std::string clean_name(std::string_view text) {
  const std::string mended = mend_utf8(std::string(text));
  std::string clean;
  clean.reserve(mended.size());
  for (std::size_t at = 0; at < mended.size();) {
    const std::size_t length = sequence_length(mended, at);
    const std::string_view sequence = std::string_view(mended).substr(at, length);
    clean += is_control(code_point(sequence)) ? "_" : sequence;
    at += length;
  }
  return clean;
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  const std::size_t start = text.find_first_not_of(" \t\r\n\v\f");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const std::string_view rest = text.substr(at);
    if (length == 0)
      shown += hexadecimal("\\x%02x", static_cast<std::uint8_t>(text[at]));
    else if (const std::uint32_t code = code_point(rest.substr(0, length)); is_unprintable(code))
      shown += escape_of(code);
    else if (at == start && rest.starts_with("::"))
      shown += "\\x3a";
    else if (at > 0 && opens_command(text.substr(at - 1)))
      shown += "\\x23";
    else
      shown += rest.substr(0, length);
    at += length == 0 ? 1 : length;
  }
  return shown;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
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
  return printable(spaced);
}

std::string printable_json(std::string_view json) {
  std::string shown;
  shown.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t length = std::max<std::size_t>(1, sequence_length(json, at));
    const std::uint32_t code = code_point(json.substr(at, length));
    if ((code >= 0x7F && is_unprintable(code)) || (at > 0 && opens_command(json.substr(at - 1))))
      shown += hexadecimal("\\u%04x", code);
    else
      shown += json.substr(at, length);
    at += length;
  }
  return shown;
}

std::string grouped(std::size_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  std::string text = grouped(count);
  text += ' ';
  text += count == 1 ? one : many;
  return text;
}

std::string significant(double value, int digits) {
  return formatted(value, std::chars_format::general, digits);
}

std::string fixed(double value, int digits) {
  return formatted(value, std::chars_format::fixed, digits);
}

std::string exact(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace gvbind
