#include "cli/help_formatter.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <utility>

#include "cli/options.h"
#include "common/console.h"

namespace gvbind {

namespace {

constexpr std::size_t min_width = 20;

constexpr std::size_t help_column = 28;

/// Commands with no more options than these list all at once.
constexpr std::size_t max_short_options = 26;

/// Further options of the short help; rows of bind and batch have `everyday`.
constexpr std::array<std::string_view, 8> everyday_options = {
    "help", "help-all", "baseline", "sweep", "sheet", "reference", "rigs", "by"};

bool is_everyday_name(const std::string& name) {
  const BindOption* option = find_bind_option(name);
  if (option) return option->everyday;
  return std::ranges::count(everyday_options, name) > 0 ||
         std::ranges::any_of(run_options(), [&](const RunOption& other) {
           return other.row.name == name && other.row.everyday;
         });
}

bool is_everyday(const CLI::Option* option) {
  return option->get_required() || std::ranges::any_of(option->get_lnames(), is_everyday_name);
}

std::size_t count_options(const CLI::App* app) {
  return app
      ->get_options([](const CLI::Option* option) {
        return option->nonpositional() && !option->get_group().empty();
      })
      .size();
}

/// CLI11 puts a group where its first option stands; --help, which comes first, belongs to the
/// last. Groups that the list lacks stand before that.
std::size_t group_index(const std::string& group) {
  const auto found = std::ranges::find(help_groups, group);
  const auto index = static_cast<std::size_t>(found - help_groups.begin());
  return index < help_groups.size() ? index : help_groups.size() - 2;
}

/// Lines that begin with a blank are examples, which stay as they are.
std::string paragraphs(const std::string& text, std::size_t width) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    out += (line.starts_with(' ') ? line : wrapped(line, width)) + "\n";
  return out;
}

/// A name with more choices than a line has room for goes on below.
std::string broken_at_bars(std::string name, std::size_t width) {
  constexpr std::size_t indent = 6;
  std::size_t begin = 0;
  while (name.size() - begin > width) {
    const std::size_t bar = name.rfind('|', begin + width - 1);
    if (bar == std::string::npos || bar <= begin + indent) break;
    name.insert(bar + 1, "\n" + std::string(indent, ' '));
    begin = bar + 2;
  }
  return name;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  const std::size_t room = std::max(width, indent + min_width) - indent;
  const std::string next_line = "\n" + std::string(indent, ' ');
  std::string lines;
  std::size_t used = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (used > 0 && used + 1 + word.size() > room) {
      lines += next_line;
      used = 0;
    } else if (used > 0) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += word.size();
    if (end < text.size() && text[end] == '\n') {
      lines += next_line;
      used = 0;
    }
    at = end + 1;
  }
  return lines;
}

std::string two_columns(const std::string& left, const std::string& right, std::size_t column,
                        std::size_t width) {
  std::string text = left;
  if (left.size() + 2 > column)
    text += "\n" + std::string(column, ' ');
  else
    text.resize(column, ' ');
  return text + wrapped(right, width, column) + "\n";
}

std::vector<std::string> shown_flags(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
  if (!option.get_lnames().empty()) flags.push_back("--" + option.get_lnames().front());
  return flags;
}

HelpFormatter::HelpFormatter() : width_(terminal_width(stdout)) {}

std::string HelpFormatter::usage_line(const CLI::App* app, const std::string& name) {
  std::string usage = name;
  if (!app->get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); }).empty())
    usage += " COMMAND";
  for (const CLI::Option* option :
       app->get_options([](const CLI::Option* o) { return o->get_positional(); }))
    usage += " " + CLI::Formatter().make_option_usage(option);
  for (const CLI::Option* option : app->get_options(
           [](const CLI::Option* o) { return o->nonpositional() && o->get_required(); }))
    usage += (option->get_snames().empty() ? " --" + option->get_lnames().front()
                                           : " -" + option->get_snames().front()) +
             " " + option->get_type_name();
  return usage + " [OPTIONS]";
}

std::vector<std::string> HelpFormatter::groups_in_order(const CLI::App* app) {
  std::vector<std::string> groups = app->get_groups();
  std::ranges::stable_sort(groups, {}, group_index);
  return groups;
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  return wrapped("Usage: " + usage_line(app, name), width_, 2) + "\n";
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
  // The usage line has the positionals; their names set them apart from options.
  std::string text = is_positional ? "\n" : "\n" + group + ":\n";
  for (const CLI::Option* option : options) text += make_option(option, is_positional);
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  const std::size_t count = count_options(app);
  const bool is_short = mode == CLI::AppFormatMode::Normal && count > max_short_options;
  std::string text = make_description(app) + make_usage(app, name) + make_positionals(app);
  for (const std::string& group : groups_in_order(app)) {
    const auto options = app->get_options([&](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional() &&
             (!is_short || is_everyday(option));
    });
    if (!group.empty() && !options.empty()) text += make_group(group, false, options);
  }
  if (is_short)
    text += "\n" +
            wrapped("'" + name + " --help-all' explains all " + std::to_string(count) + " options.",
                    width_) +
            "\n";
  // Below the overview commands are listed; one that has a few of its own explains them.
  if (!app->get_parent())
    return text + make_subcommands(app, CLI::AppFormatMode::Normal) + "\n" + make_footer(app);
  text += make_subcommands(app, CLI::AppFormatMode::Normal);
  for (const CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; }))
    text += "\n" + make_help(sub, name + " " + sub->get_name(), mode);
  if (app->get_footer().empty()) return text;
  return text + "\n" + make_footer(app);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = is_positional ? make_option_name(option, true) : "";
  if (!is_positional) {
    for (const std::string& flag : shown_flags(*option)) name += (name.empty() ? "" : ", ") + flag;
    name += make_option_opts(option);
  }
  return two_columns(broken_at_bars("  " + name, width_), make_option_desc(option), help_column,
                     width_);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  constexpr std::size_t name_column = 14;
  return two_columns("  " + sub->get_name(), sub->get_description(), name_column, width_);
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return paragraphs(app->get_description(), width_) + "\n";
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return paragraphs(app->get_footer(), width_);
}

}  // namespace gvbind
