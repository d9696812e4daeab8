#pragma once

// Tested by tests/command/cli_test.py.

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/bind_options.h"
#include "cli/option_values.h"
#include "common/log_file.h"
#include "common/progress.h"
#include "gvbind/error.h"

namespace gvbind {

// Groups of options in the help; all others stand under CLI11's "Options", which comes last.
inline constexpr const char* first_group = "Turn these first";
inline constexpr const char* file_group = "Input and output";
inline constexpr const char* what_group = "What is bound";
inline constexpr const char* weight_group = "How weights are computed";
inline constexpr const char* look_group = "Look before binding";
inline constexpr const char* report_group = "Reports and progress";
inline constexpr const char* run_group = "Run";
inline constexpr std::array<std::string_view, 8> help_groups = {
    first_group, file_group,   what_group, weight_group,
    look_group,  report_group, run_group,  "Options"};

// The first long name of an option is the one that help shows; further ones are older spellings.

/// An option that takes one of the names, each of which stands for a value; `value` holds the
/// default.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Value& value,
                        const std::map<std::string, Value>& choices, const std::string& help) {
  std::string names, current;
  for (const auto& [name, choice] : choices) {
    names += (names.empty() ? "" : "|") + name;
    if (choice == value) current = name;
  }
  return app
      .add_option_function<std::string>(
          flag,
          [&value, choices, name = flag.substr(0, flag.find(','))](const std::string& text) {
            const auto found = choices.find(text);
            if (found == choices.end()) {
              std::vector<std::string> known;
              for (const auto& entry : choices) known.push_back(entry.first);
              refuse_choice(name, text, known);
            }
            value = found->second;
          },
          help + " [" + current + "]")
      ->type_name(names);
}

// What bind and batch share. `of_what` is put into the help: "Threads[, of all assets together]".
void add_jobs(CLI::App& app, int& jobs, const std::string& of_what);
void add_progress(CLI::App& app, ProgressMode& progress);
/// `verbose` counts the letters of -vv.
void add_verbosity(CLI::App& app, bool& quiet, int& verbose);
/// --log and what belongs to it.
void add_log(CLI::App& app, LogFile& log);

/// An option whose text `take` reads; it throws Error(usage).
CLI::Option* add_text(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::string& type_name,
                      const std::function<void(const std::string&)>& take);

/// A number from `low` to `high`, a whole one where `value` is; `value` holds the default. Both are
/// appended to the help.
template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& flags, Number& value,
                        std::type_identity_t<Number> low, std::type_identity_t<Number> high,
                        const std::string& help, const std::string& type_name = "N") {
  std::ostringstream text;
  text << help;
  if (high < std::numeric_limits<Number>::max()) text << ", " << low << " to " << high;
  text << " [" << value << "]";
  const std::string names = flags.substr(flags.find("--"));
  const std::string name = names.substr(0, names.find(','));
  return add_text(app, flags, text.str(), type_name, [&value, low, high, name](const auto& given) {
    if constexpr (std::is_integral_v<Number>)
      value = static_cast<Number>(parse_count(name, given, static_cast<std::uint64_t>(low),
                                              static_cast<std::uint64_t>(high)));
    else
      value = parse_number(name, given, low, high);
  });
}

/// Gets an option of bind and the values that the command line gave it.
using TakeOption =
    std::function<void(const BindOption& option, const std::vector<std::string>& values)>;

/// Options of bind that the command line gave, in the order of bind_options().
using GivenFlags = std::map<const BindOption*, std::vector<std::string>>;

/// Checks values and keeps them until all are there: in the order of the table, a preset and a file
/// of rules come before the flags that override them, wherever they stand on the command line.
TakeOption collect_in(const std::shared_ptr<GivenFlags>& given);
void apply_flags(const GivenFlags& given, BindSettings& settings);

/// Adds the options of bind that are in this group, or the one of this name.
void add_bind_options(CLI::App& app, OptionGroup group, const TakeOption& take);
void add_bind_option(CLI::App& app, const std::string& name, const TakeOption& take);

}  // namespace gvbind
