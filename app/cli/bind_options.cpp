#include "cli/bind_options.h"

#include <algorithm>
#include <charconv>

#include "gvbind/bind_options.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

using Values = std::vector<std::string>;

std::string default_of(const BindOption& option, bool in_batch) {
  if (in_batch && !option.default_in_batch.empty()) return option.default_in_batch;
  if (!option.default_text.empty() || option.is_flag || !option.values) return option.default_text;
  return joined_values(option.values(BindSettings{}));
}

}  // namespace

std::string help_of(const BindOption& option, bool in_batch) {
  const std::string built_in = default_of(option, in_batch);
  return option.help + (built_in.empty() ? "" : " [" + built_in + "]");
}

const char* heading_of(const BindOption& option) {
  if (option.heading) return option.heading;
  switch (option.group) {
    case OptionGroup::skeleton:
      return file_group;
    case OptionGroup::method:
      return weight_group;
    case OptionGroup::selection:
      return what_group;
    case OptionGroup::running:
      break;
  }
  return run_group;
}

const BindOption* find_bind_option(std::string_view name) {
  const auto options = bind_options();
  const auto found = std::ranges::find_if(options, [&](const BindOption& option) {
    return option.name == name || std::ranges::count(option.old_names, name) > 0;
  });
  return found == options.end() ? nullptr : &*found;
}

std::string stored_name(const BindOption& option) {
  return option.old_names.empty() ? option.name : option.old_names.front();
}

std::string stored_value(const BindOption& option, const std::string& value) {
  const auto renamed = std::ranges::find(option.old_values, value, &RenamedValue::name);
  return renamed == option.old_values.end() ? value : renamed->old_name;
}

std::vector<std::string> option_arguments(const BindSettings& settings) {
  std::vector<std::string> arguments;
  BindSettings preset;
  preset.options = settings.paper ? paper_options() : BindOptions{};
  preset.target = settings.target;  // on which it depends how --max-influences reads
  for (const BindOption& option : bind_options()) {
    if (option.expands) continue;
    const Values values = option.values(settings);
    const bool is_target = option.name == "engine" && settings.target != Target::none;
    if (values == option.values(preset) && !is_target) continue;
    for (const std::string& value : values)
      arguments.push_back("--" + option.name + (option.is_flag ? "" : "=" + value));
  }
  return arguments;
}

std::string joined_values(const Values& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
  return text;
}

bool is_number_value(const BindOption& option, const std::string& value) {
  if (option.is_path || option.repeatable) return false;
  double number = 0.0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && rest == value.data() + value.size();
}

int influences_of(const BindSettings& settings) {
  const int given = settings.options.max_influences;
  const TargetLimits limits = target_limits(settings.target);
  if (limits.influences == 0) return given;
  if (settings.auto_influences || given == 0) return limits.influences;
  if (given > limits.influences)
    throw Error(ErrorKind::usage, "--max-influences: " + std::to_string(given) +
                                      " are more than the " + std::to_string(limits.influences) +
                                      " per vertex that --engine " + limits.name + " reads");
  return given;
}

}  // namespace gvbind
