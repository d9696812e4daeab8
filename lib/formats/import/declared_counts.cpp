#include "formats/import/declared_counts.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "gvbind/base/utf8.h"

namespace gvbind {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

/// Removes the next word from `text` and returns it; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find_first_of("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end, text.size()));
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  return line;
}

std::optional<std::uint64_t> count_in(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<std::uint64_t>::max();
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

double bytes_of(std::string_view type) {
  for (const std::string_view wide : {"double", "float64"})
    if (type == wide) return 8;
  for (const std::string_view word : {"int", "uint", "float", "int32", "uint32", "float32"})
    if (type == word) return 4;
  for (const std::string_view half : {"short", "ushort", "int16", "uint16"})
    if (type == half) return 2;
  return 1;
}

struct Declared {
  std::string_view what;
  std::uint64_t count = 0;
  double bytes = 0.0;  ///< lower bound, per element
};

/// `rest`: number of bytes after the header.
std::string refusal(const std::vector<Declared>& all, std::uint64_t rest) {
  double needed = 0.0;
  for (const Declared& one : all) {
    needed += static_cast<double>(one.count) * std::max(one.bytes, 1.0);
    // The last line may end with the file.
    if (needed > static_cast<double>(rest) + 1.0)
      return "damaged or truncated: it claims to hold " + grouped(one.count) + " of '" +
             one_line(std::string(one.what)) + "', for which the " + grouped(rest) +
             " bytes of data are too few";
  }
  return {};
}

std::string false_ply_count(std::string_view start, std::uint64_t size) {
  std::vector<Declared> all;
  std::string_view rest = start;
  bool is_text = true, ends = false;
  while (!rest.empty() && !ends) {
    std::string_view line = next_line(rest);
    const std::string_view key = next_word(line), first = next_word(line), second = next_word(line);
    ends = key == "end_header";
    if (key == "format") is_text = first == "ascii";
    if (key == "element") all.push_back({first, count_in(second).value_or(0)});
    // A list may be empty, but has a length. In text each value takes a digit and a blank.
    if (key == "property" && !all.empty())
      all.back().bytes += is_text ? 2.0 : bytes_of(first == "list" ? second : first);
  }
  // Assimp would search for the end forever.
  if (!ends) return "damaged or truncated: its header does not end";
  return refusal(all, size - (start.size() - rest.size()));
}

std::string false_off_count(std::string_view start, std::uint64_t size) {
  std::string_view rest = start;
  std::vector<std::string_view> words;
  while (words.size() < 3 && !rest.empty()) {
    std::string_view line = next_line(rest);
    line = line.substr(0, line.find('#'));
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line))
      if (!word.ends_with("OFF")) words.push_back(word);
  }
  if (words.size() < 2 || !count_in(words[0]) || !count_in(words[1])) return {};
  const double line_bytes = 2.0;
  return refusal(
      {{"vertex", *count_in(words[0]), line_bytes}, {"face", *count_in(words[1]), line_bytes}},
      size - (start.size() - rest.size()));
}

}  // namespace

std::string false_count(std::string_view extension, std::string_view start, std::uint64_t size) {
  if (extension == "ply") return false_ply_count(start, size);
  return extension == "off" ? false_off_count(start, size) : std::string();
}

}  // namespace gvbind
