#pragma once

// Tested by tests/command/cli_test.py.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/bind_options.h"
#include "cli/option_values.h"
#include "common/log_file.h"
#include "common/progress.h"
#include "gvbind/error.h"

namespace gvbind {

/// Whether the command is `gvbind batch`, of which some options have another text.
bool is_batch(const CLI::App& app);

/// "-e,--engine,--target".
std::string flags_of(const BindOption& option);

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

/// The row for this command. Throws Error(internal) where there is none.
const BindOption& run_option(const CLI::App& app, const std::string& name);

/// Adds an option by its row. `read` gets its text, "true" of a flag, and throws Error(usage).
CLI::Option* add_run_option(CLI::App& app, const std::string& name,
                            const std::function<void(const std::string&)>& read);
CLI::Option* add_run_option(CLI::App& app, const std::string& name, std::string& value);
CLI::Option* add_run_option(CLI::App& app, const std::string& name, bool& given);
CLI::Option* add_run_option(CLI::App& app, const std::string& name, int& count);  ///< of -vv

template <typename Value>
CLI::Option* add_run_choice(CLI::App& app, const std::string& name, Value& value,
                            const std::map<std::string, Value>& choices) {
  const BindOption& row = run_option(app, name);
  return add_choice(app, "--" + name, value, choices, row.help)->group(heading_of(row));
}

// Options that several commands share, as run_options() declares them.
void add_jobs(CLI::App& app, int& jobs);
void add_progress(CLI::App& app, ProgressMode& progress);
/// `verbose` counts the letters of -vv.
void add_verbosity(CLI::App& app, bool& quiet, int& verbose);
/// --log and its further options.
void add_log(CLI::App& app, LogFile& log);

/// An option whose text `take` reads; it throws Error(usage).
CLI::Option* add_text(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::string& type_name,
                      const std::function<void(const std::string&)>& take);

/// --fail-on of a command that writes skins or motion. `Threshold`: FailOn of the reports.
template <typename Threshold>
CLI::Option* add_fail_on(CLI::App& app, Threshold& fail_on) {
  return add_text(app, "--fail-on", "Findings that make the exit code 1 [error]",
                  "error|warning|never", [&fail_on](const std::string& text) {
                    Severity severity = Severity::warning;
                    bool never = false;
                    parse_fail_on(text, severity, never);
                    fail_on = never ? Threshold(std::nullopt) : Threshold(severity);
                  });
}

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
