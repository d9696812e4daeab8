#include "gvbind/base/joint_keys.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace gvbind {

namespace {

constexpr std::size_t min_names = 8;  // fewer show no habit
constexpr std::string_view separators = "-_.";
constexpr double of_nearly_all = 0.75;     // names that share a word
constexpr double of_still_distinct = 0.9;  // names that stay apart without it

using Words = std::vector<std::string>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number(const std::string& word) { return std::ranges::all_of(word, is_digit); }

/// The words of a name's key: what ASCII punctuation and spaces separate.
Words words_of(std::string_view name) {
  Words words;
  bool inside = false;
  for (const char c : plain_name(name)) {
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
    const bool other = is_digit(c) || (static_cast<unsigned char>(c) & 0x80u) != 0;
    if (!upper && !lower && !other) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    words.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
    inside = true;
  }
  return words;
}

std::string joined(const Words& words) {
  std::string key;
  for (const std::string& word : words) key += word;
  return key;
}

std::size_t distinct(const std::vector<Words>& names) {
  std::set<std::string> keys;
  for (const Words& words : names) keys.insert(joined(words));
  return keys.size();
}

/// The names without the word that `at` finds in nearly all of them, or as they are.
template <typename Drop>
void drop_common(std::vector<Words>& names, const Drop& drop) {
  std::vector<Words> shorter = names;
  std::size_t dropped = 0;
  for (Words& words : shorter) dropped += words.size() > 1 && drop(words);
  const auto count = static_cast<double>(names.size());
  if (static_cast<double>(dropped) < of_nearly_all * count) return;
  if (std::ranges::all_of(shorter, [](const Words& w) { return is_number(joined(w)); })) return;
  if (static_cast<double>(distinct(shorter)) <
      of_still_distinct * static_cast<double>(distinct(names)))
    return;
  names = std::move(shorter);
}

/// The first or last word that most names have.
std::string most_common(const std::vector<Words>& names, bool first) {
  std::map<std::string, std::size_t> count;
  for (const Words& words : names)
    if (words.size() > 1) ++count[first ? words.front() : words.back()];
  const auto most =
      std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; });
  return most == count.end() ? std::string() : most->first;
}

}  // namespace

std::string_view plain_name(std::string_view name) {
  const std::size_t space = name.find_last_of(":|");
  return space == name.npos ? name : name.substr(space + 1);
}

bool has_prefix(std::string_view name, std::span<const std::string_view> prefixes) {
  const std::string_view plain = plain_name(name);
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
    return plain.starts_with(prefix) && plain.size() > prefix.size() &&
           separators.find(plain[prefix.size()]) != separators.npos;
  });
}

bool is_called_deforming(std::string_view name) {
  constexpr std::string_view deforming[] = {"DEF", "Def"};
  return has_prefix(name, deforming);
}

std::string joint_key(std::string_view name) { return joined(words_of(name)); }

std::vector<std::string> joint_keys(std::span<const std::string_view> names) {
  std::vector<Words> words;
  for (const std::string_view name : names) words.push_back(words_of(name));
  if (names.size() >= min_names) {
    drop_common(words, [](Words& w) {
      if (!is_number(w.back())) return false;
      w.pop_back();
      return true;
    });
    const std::string first = most_common(words, true);
    drop_common(words, [&](Words& w) {
      if (w.front() != first) return false;
      w.erase(w.begin());
      return true;
    });
    const std::string last = most_common(words, false);
    drop_common(words, [&](Words& w) {
      if (w.back() != last) return false;
      w.pop_back();
      return true;
    });
  }
  std::vector<std::string> keys;
  for (const Words& w : words) keys.push_back(joined(w));
  return keys;
}

}  // namespace gvbind
