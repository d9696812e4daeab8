#include "batch/settings.h"

#include <algorithm>

#include "cli/rules_file.h"

namespace gvbind {

namespace {

const GivenOption* find_given(const SettingsLayer& layer, std::size_t option) {
  const auto found = std::ranges::find(layer, option, &GivenOption::option);
  return found == layer.end() ? nullptr : &*found;
}

/// So that no value can pass for two.
std::string escaped(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n')
      text += "\\n";
    else if (c == '\\')
      text += "\\\\";
    else
      text += c;
  }
  return text;
}

}  // namespace

ResolvedSettings resolve_settings(const std::vector<const SettingsLayer*>& layers) {
  const auto options = bind_options();
  ResolvedSettings resolved;
  resolved.origins.assign(options.size(), "built in");
  for (std::size_t o = 0; o < options.size(); ++o) {
    for (const SettingsLayer* layer : layers) {
      const GivenOption* given = find_given(*layer, o);
      if (!given) continue;
      options[o].apply(resolved.settings, given->values);
      resolved.origins[o] = given->origin;
      if (options[o].expands)
        for (const RulesEntry& entry : read_rules(given->values.at(0)))
          resolved.origins[entry.option - options.data()] = entry.origin;
      break;
    }
  }
  return resolved;
}

std::string options_text(const BindSettings& settings) {
  std::vector<std::string> lines;
  for (const BindOption& option : bind_options()) {
    if (!option.affects_output || (option.is_path && !option.content)) continue;
    if (option.content) {
      // So that stamps from before there was this option stay valid.
      if (option.is_path && option.repeatable && option.values(settings).empty()) continue;
      lines.push_back(stored_name(option) + "=" + escaped(option.content(settings)));
      continue;
    }
    const std::vector<std::string> values = option.values(settings);
    if (values.empty()) lines.push_back(stored_name(option));
    for (const std::string& value : values)
      lines.push_back(stored_name(option) + "=" + escaped(stored_value(option, value)));
  }
  // Lists are sets: neither order nor repetition changes the selection.
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace gvbind
