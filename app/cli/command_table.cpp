#include "cli/command_table.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/help_formatter.h"

namespace gvbind {

namespace {

constexpr std::array<std::string_view, 14> file_values = {
    "FILE",   "FILE...", "INPUT", "OUT",   "PNG",  "GIF",  "WEBP",
    "REPORT", "BODY",    "TABLE", "FIELD", "MESH", "DIR/", "HTML"};
constexpr std::array<std::string_view, 3> directory_values = {"DIR", "OUT_DIR", "FOLDER"};

std::vector<std::string> alternatives(const std::string& value) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    parts.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_word(const std::string& text) {
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

/// By the names of values: words in lower case are meant as they are, FILE and its kin are paths.
void read_value(OptionEntry& entry) {
  entry.kind = ValueKind::text;
  // Composed values such as clip:NAME@TIME cannot be offered.
  const bool composed = entry.value.find_first_of(":=") != std::string::npos;
  for (const std::string& part : alternatives(entry.value)) {
    if (is_word(part) && !composed) entry.words.push_back(part);
    if (std::ranges::find(file_values, part) != file_values.end()) entry.kind = ValueKind::file;
    if (std::ranges::find(directory_values, part) != directory_values.end() &&
        entry.kind == ValueKind::text)
      entry.kind = ValueKind::directory;
  }
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  entry.flags = shown_flags(option);
  entry.group = option.get_group();
  entry.help = option.get_description();
  entry.repeatable = option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeLast;
  if (option.get_type_size() != 0) entry.value = option.get_type_name();
  if (option.get_positional()) {
    entry.name = option.get_name(true);
    // CLI11 calls values without a type name TEXT.
    if (entry.value.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
      entry.value = entry.name;
    entry.repeatable = option.get_expected_max() > 1;
  }
  if (!entry.value.empty()) read_value(entry);
  return entry;
}

bool hidden(const CLI::App& app) { return app.get_group().empty(); }

void add_entries(const CLI::App& app, const std::vector<std::string>& path,
                 std::vector<CommandEntry>& table) {
  CommandEntry entry{path, app.get_description(), app.get_footer(), "", {}, {}, {}};
  entry.usage = HelpFormatter::usage_line(&app, full_name(entry));
  for (const std::string& group : HelpFormatter::groups_in_order(&app))
    for (const CLI::Option* option : app.get_options())
      if (option->nonpositional() && option->get_group() == group && !group.empty())
        entry.options.push_back(entry_of(*option));
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) entry.positionals.push_back(entry_of(*option));
  const auto below = app.get_subcommands([](const CLI::App* sub) { return !hidden(*sub); });
  for (const CLI::App* sub : below) entry.commands.push_back(sub->get_name());
  table.push_back(std::move(entry));
  for (const CLI::App* sub : below) {
    std::vector<std::string> longer = path;
    longer.push_back(sub->get_name());
    add_entries(*sub, longer, table);
  }
}

}  // namespace

std::vector<CommandEntry> command_table(const CLI::App& app) {
  std::vector<CommandEntry> table;
  add_entries(app, {}, table);
  return table;
}

std::string full_name(const CommandEntry& command, const std::string& separator) {
  std::string name = "gvbind";
  for (const std::string& word : command.path) name.append(separator).append(word);
  return name;
}

const CommandEntry* find_command(const std::vector<CommandEntry>& table,
                                 const std::vector<std::string>& path) {
  const auto found = std::ranges::find(table, path, &CommandEntry::path);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace gvbind
