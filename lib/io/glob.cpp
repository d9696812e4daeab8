#include "io/glob.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gvbind {
namespace {

struct GlobCharacter {
  std::uint32_t code = 0;
  std::size_t size = 1;  ///< bytes
};

/// A byte that is not UTF-8 counts as one character, so that any name can be matched.
GlobCharacter glob_character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<std::uint8_t>(text[at]);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (size == 1 || text.size() - at < size) return {lead, 1};
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<std::uint8_t>(text[at + i]);
    if ((next & 0xC0U) != 0x80U) return {lead, 1};
    code = code << 6 | (next & 0x3FU);
  }
  return {code, size};
}

struct GlobStep {
  bool matches = false;
  std::size_t next = 0;  ///< after the pattern of one character
};

/// The class that starts at `at`; none if it is never closed.
std::optional<GlobStep> match_class(std::string_view pattern, std::size_t at, std::uint32_t code) {
  ++at;
  const bool complement = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (complement) ++at;
  const auto take = [&]() -> std::optional<std::uint32_t> {
    if (at < pattern.size() && pattern[at] == '\\') ++at;
    if (at >= pattern.size()) return std::nullopt;
    const GlobCharacter c = glob_character_at(pattern, at);
    at += c.size;
    return c.code;
  };
  bool inside = false;
  for (bool first = true; at < pattern.size(); first = false) {
    if (pattern[at] == ']' && !first) return GlobStep{inside != complement, at + 1};
    const auto low = take();
    if (!low) return std::nullopt;
    std::optional<std::uint32_t> high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      high = take();
      if (!high) return std::nullopt;
    }
    inside = inside || (*low <= code && code <= *high);
  }
  return std::nullopt;
}

GlobStep match_one(std::string_view pattern, std::size_t at, std::uint32_t code) {
  if (pattern[at] == '?') return {true, at + 1};
  if (pattern[at] == '[')
    if (const auto step = match_class(pattern, at, code)) return *step;
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  const GlobCharacter c = glob_character_at(pattern, at);
  return {c.code == code, at + c.size};
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  // Backtracking to the last star is sufficient, because everything before it has matched as early
  // as possible.
  std::optional<std::size_t> star;
  std::size_t star_end = 0;
  while (t < text.size()) {
    const GlobCharacter c = glob_character_at(text, t);
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
      continue;
    }
    if (p < pattern.size()) {
      const GlobStep step = match_one(pattern, p, c.code);
      if (step.matches) {
        p = step.next;
        t += c.size;
        continue;
      }
    }
    if (!star) return false;
    p = *star + 1;
    star_end += glob_character_at(text, star_end).size;
    t = star_end;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace gvbind
