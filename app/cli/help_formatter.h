#pragma once

// Tested by tests/command/help_test.py.

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// The text in lines of at most `width` columns, broken at blanks; line ends in the text are kept.
/// Lines after the first begin with `indent` blanks. A longer word gets a line of its own. No line
/// end after the last line.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// `left`, padded to `column`, and beside it `right`, wrapped; `right` begins on a line of its own
/// where `left` is too long. Ends with a line end.
std::string two_columns(const std::string& left, const std::string& right, std::size_t column,
                        std::size_t width);

/// The flags of an option that help, manuals and completion list: "-o", "--output". Long names
/// after the first are older spellings, which are accepted and listed nowhere.
std::vector<std::string> shown_flags(const CLI::Option& option);

/// CLI11's help, wrapped at the terminal's width, with the groups of options in one order.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  /// "gvbind bind INPUT... -o OUT [OPTIONS]".
  static std::string usage_line(const CLI::App* app, const std::string& name);
  /// Groups of options as the help lists them.
  static std::vector<std::string> groups_in_order(const CLI::App* app);

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::size_t width_;
};

}  // namespace gvbind
