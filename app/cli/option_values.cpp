#include "cli/option_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include "gvbind/base/utf8.h"
#include "gvbind/bind_options.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

bool read_number(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && std::isfinite(value);
}

std::string short_number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

struct Quantity {
  double number = 0.0;
  std::string unit;  ///< lower case
};

std::optional<Quantity> read_quantity(const std::string& text) {
  Quantity quantity;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, quantity.number);
  if (error != std::errc() || !std::isfinite(quantity.number) || quantity.number <= 0)
    return std::nullopt;
  quantity.unit = lower_case({rest, end});
  return quantity;
}

[[noreturn]] void refuse_word(const std::string& flag, const std::string& text,
                              const std::vector<std::string>& known, const char* besides) {
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::usage, flag + ": '" + text + "' is not one of " + names + besides +
                                    nearest_name_hint(text, known));
}

}  // namespace

void refuse_choice(const std::string& flag, const std::string& text,
                   const std::vector<std::string>& known) {
  refuse_word(flag, text, known, "");
}

void refuse_choice_or_file(const std::string& flag, const std::string& text,
                           const std::vector<std::string>& known) {
  refuse_word(flag, text, known, ", and no file of this name is there");
}

double parse_number(const std::string& flag, const std::string& text, double low, double high) {
  double value = 0.0;
  if (!read_number(text, value) || value < low || value > high)
    refuse(flag + ": '" + text + "' is not a number from " + short_number(low) + " to " +
           short_number(high));
  return value;
}

std::uint64_t parse_count(const std::string& flag, const std::string& text, std::uint64_t low,
                          std::uint64_t high) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < low || value > high)
    refuse(flag + ": '" + text + "' is not a whole number from " + std::to_string(low) + " to " +
           std::to_string(high));
  return value;
}

int parse_resolution(const std::string& text, AutoResolution known) {
  double value = 0.0;
  const bool whole =
      read_number(text, value) && value >= 16 && value <= 2048 && value == std::floor(value);
  if (!whole || !std::has_single_bit(static_cast<unsigned>(value)))
    refuse("--resolution: '" + text + "' is not a power of two from 16 to 2048" +
           (known == AutoResolution::yes ? ", nor 'auto'" : ""));
  return static_cast<int>(value);
}

int parse_max_influences(const std::string& text) {
  if (text == "all") return 0;
  double value = 0.0;
  if (!read_number(text, value) || value < 1 || value > 255 || value != std::floor(value))
    refuse("--max-influences: '" + text + "' is not a whole number from 1 to 255, nor 'all'");
  return static_cast<int>(value);
}

int parse_max_joints(const std::string& text) {
  double value = 0.0;
  if (!read_number(text, value) || value < 1 || value > 65535 || value != std::floor(value))
    refuse("--max-joints: '" + text + "' is not a whole number from 1 to 65535, nor 'all'");
  return static_cast<int>(value);
}

unsigned parse_views(const std::string& text) {
  const std::vector<std::string> names = {"+x", "-x", "+y", "-y", "+z", "-z"};
  unsigned views = 0;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    std::size_t i = 0;
    while (i < names.size() && names[i] != name) ++i;
    if (i == names.size()) refuse("--views: '" + name + "' is not one of +x,-x,+y,-y,+z,-z");
    views |= 1u << i;
  }
  if (views == 0) refuse("--views: no view is left; name at least one of +x,-x,+y,-y,+z,-z");
  return views;
}

std::uint64_t parse_size(const std::string& flag, const std::string& text) {
  const std::optional<Quantity> quantity = read_quantity(text);
  double bytes = quantity ? quantity->number : 0.0;
  bool known = quantity.has_value();
  if (known) {
    std::string unit = quantity->unit;
    if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
    if (unit.size() > 1 && unit.ends_with('b')) unit.pop_back();
    const std::size_t power = unit.empty() || unit == "b" ? 0 : std::string("kmgt").find(unit) + 1;
    known = unit.size() <= 1 && (unit.empty() || unit == "b" || power > 0);
    bytes *= std::pow(1024.0, static_cast<double>(power));
  }
  if (!known || bytes < 1.0 || bytes > 1e18)
    refuse(flag + ": '" + text + "' is not a size such as 8G or 512M");
  return static_cast<std::uint64_t>(bytes);
}

double parse_duration(const std::string& flag, const std::string& text) {
  if (text == "0") return 0.0;
  const std::optional<Quantity> quantity = read_quantity(text);
  const std::string unit = quantity ? quantity->unit : "?";
  const double factor = unit.empty() || unit == "s" ? 1.0
                        : unit == "m"               ? 60.0
                        : unit == "h"               ? 3600.0
                                                    : 0.0;
  if (factor == 0.0 || quantity->number * factor > 1e9)
    refuse(flag + ": '" + text + "' is not a time such as 90, 90s, 10m or 1h, nor 0 for none");
  return quantity->number * factor;
}

namespace {

void take_fail_on(const std::string& text, const std::vector<std::string>& words, Severity& fail_on,
                  bool& never) {
  if (std::ranges::find(words, text) == words.end()) refuse_choice("--fail-on", text, words);
  never = text == "never";
  fail_on = text == "warning" ? Severity::warning : Severity::error;
}

}  // namespace

void parse_fail_on(const std::string& text, Severity& fail_on, bool& never) {
  take_fail_on(text, {"error", "warning", "never"}, fail_on, never);
}

void parse_bind_fail_on(const std::string& text, Severity& fail_on, bool& never, bool& worse) {
  take_fail_on(text, {"error", "warning", "worse-than-before", "never"}, fail_on, never);
  worse = text == "worse-than-before";
}

}  // namespace gvbind
