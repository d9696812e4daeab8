#pragma once

// Tested by tests/unit/batch/settings_test.cpp.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/bind_options.h"
#include "cli/option_values.h"

namespace gvbind {

using OptionValues = std::vector<std::string>;

template <typename Value>
struct Choice {
  const char* name;
  Value value;
  const char* old_name = nullptr;  ///< accepted too; not in the help
};

/// What an option takes by name, in the order in which the help lists it.
template <typename Value, std::size_t Count>
struct ChoiceList {
  const char* option;
  std::array<Choice<Value>, Count> choices;
};

template <typename List>
auto choose(const std::string& text, const List& list) {
  std::vector<std::string> known;
  for (const auto& choice : list.choices) {
    if (text == choice.name || (choice.old_name && text == choice.old_name)) return choice.value;
    known.emplace_back(choice.name);
  }
  refuse_choice(std::string("--") + list.option, text, known);
}

template <typename Value, typename List>
OptionValues chosen(Value value, const List& list) {
  for (const auto& choice : list.choices)
    if (choice.value == value) return {choice.name};
  return {};
}

template <typename List>
std::string names_of(const List& list) {
  std::string names;
  for (const auto& choice : list.choices)
    names.append(names.empty() ? "" : "|").append(choice.name);
  return names;
}

template <typename List>
OptionValues option_words(const List& list) {
  OptionValues words;
  for (const auto& choice : list.choices) words.emplace_back(choice.name);
  return words;
}

template <typename List>
std::vector<RenamedValue> renamed_values(const List& list) {
  std::vector<RenamedValue> renamed;
  for (const auto& choice : list.choices)
    if (choice.old_name) renamed.push_back({choice.old_name, choice.name});
  return renamed;
}

/// Values whose order counts, as one text that no other values have.
inline std::string in_order(const OptionValues& values) {
  std::string text;
  for (const std::string& value : values) text += std::to_string(value.size()) + ":" + value;
  return text;
}

}  // namespace gvbind
