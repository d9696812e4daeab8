#pragma once

// Tested by tests/unit/batch/settings_test.cpp.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/bind_options.h"
#include "cli/option_values.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

// Forms of options: each completes a row of the table (option_table.cpp). Values, range and default
// come from the list, the range and the member that the form is given, and are never repeated.

using OptionValues = std::vector<std::string>;

/// A member of the settings, or of the method's options in them.
template <typename Settings, typename Value>
auto& member_of(Settings& settings, Value BindOptions::*member) {
  return settings.options.*member;
}

template <typename Settings, typename Value>
auto& member_of(Settings& settings, Value BindSettings::*member) {
  return settings.*member;
}

template <typename Settings, typename Value>
auto& member_of(Settings& settings, Value RuleSet::*member) {
  return settings.rules.*member;
}

template <typename Settings, typename Value>
auto& member_of(Settings& settings, Value Selection::*member) {
  return settings.selection.*member;
}

template <typename Value>
struct Choice {
  const char* name;
  Value value;
  const char* old_name = nullptr;  ///< accepted too; not in the help
};

/// The words that an option takes, in the order in which the help lists them.
template <typename Value, std::size_t Count>
struct ChoiceList {
  const char* option;
  std::array<Choice<Value>, Count> choices;
};

template <typename List>
const auto* find_choice(const std::string& text, const List& list) {
  for (const auto& choice : list.choices)
    if (text == choice.name || (choice.old_name && text == choice.old_name)) return &choice.value;
  return static_cast<decltype(&list.choices[0].value)>(nullptr);
}

template <typename List>
OptionValues option_words(const List& list) {
  OptionValues words;
  for (const auto& choice : list.choices) words.emplace_back(choice.name);
  return words;
}

template <typename List>
auto choose(const std::string& text, const List& list) {
  if (const auto* value = find_choice(text, list)) return *value;
  refuse_choice(std::string("--") + list.option, text, option_words(list));
}

template <typename Value, typename List>
OptionValues chosen(Value value, const List& list) {
  for (const auto& choice : list.choices)
    if (choice.value == value) return {choice.name};
  return {};
}

/// "auto|cpu|egl".
inline std::string alternatives_text(const OptionValues& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : "|").append(word);
  return text;
}

template <typename List>
std::vector<RenamedValue> renamed_values(const List& list) {
  std::vector<RenamedValue> renamed;
  for (const auto& choice : list.choices)
    if (choice.old_name) renamed.push_back({choice.old_name, choice.name});
  return renamed;
}

/// An option that takes one word of a list.
template <auto Member, const auto& List>
BindOption choice_option(BindOption option) {
  option.name = List.option;
  option.type_name = alternatives_text(option_words(List));
  option.old_values = renamed_values(List);
  option.apply = [](BindSettings& s, const OptionValues& v) {
    member_of(s, Member) = choose(v.at(0), List);
  };
  option.values = [](const BindSettings& s) { return chosen(member_of(s, Member), List); };
  return option;
}

/// The numbers that an option takes.
struct NumberRange {
  const char* option;
  int low, high;
};

template <auto Member, const NumberRange& Range>
BindOption number_option(BindOption option) {
  option.name = Range.option;
  option.type_name = std::to_string(Range.low) + ".." + std::to_string(Range.high);
  option.apply = [](BindSettings& s, const OptionValues& v) {
    member_of(s, Member) =
        parse_number(std::string("--") + Range.option, v.at(0), Range.low, Range.high);
  };
  option.values = [](const BindSettings& s) { return OptionValues{exact(member_of(s, Member))}; };
  return option;
}

/// An option that may be repeated: globs or names, as they are.
template <auto Member>
BindOption list_option(BindOption option) {
  option.repeatable = true;
  option.apply = [](BindSettings& s, const OptionValues& v) { member_of(s, Member) = v; };
  option.values = [](const BindSettings& s) { return member_of(s, Member); };
  return option;
}

/// An option that may be repeated, each time with one rule: `Given` keeps the texts, `Rules` what
/// `parse` reads in them.
template <auto Given, auto Rules, auto parse>
BindOption rule_option(BindOption option) {
  option.repeatable = true;
  option.apply = [](BindSettings& s, const OptionValues& v) {
    member_of(s, Rules).clear();
    for (const std::string& text : v) member_of(s, Rules).push_back(parse(text));
    member_of(s, Given) = v;
  };
  option.values = [](const BindSettings& s) { return member_of(s, Given); };
  return option;
}

inline OptionValues one_or_none(const std::string& text) {
  return text.empty() ? OptionValues{} : OptionValues{text};
}

/// Values whose order counts, as one text that no other values have.
inline std::string in_order(const OptionValues& values) {
  std::string text;
  for (const std::string& value : values) text += std::to_string(value.size()) + ":" + value;
  return text;
}

/// An option without a value.
struct Switch {
  const char* option;
  bool BindSettings::*member;
};
template <const Switch& of>
BindOption switch_option(BindOption option) {
  option.name = of.option;
  option.is_flag = true;
  option.apply = [](BindSettings& s, const OptionValues& v) {
    if (v.at(0) != "true" && v.at(0) != "false")
      throw Error(ErrorKind::usage,
                  "--" + std::string(of.option) + ": '" + v.at(0) + "' is neither true nor false");
    s.*of.member = v.at(0) == "true";
  };
  option.values = [](const BindSettings& s) {
    return OptionValues{s.*of.member ? "true" : "false"};
  };
  return option;
}

}  // namespace gvbind
