#include "commands/bind/bind_report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "common/console.h"
#include "common/exit_codes.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

/// Quotes a path so that it cannot be parsed as an option or as a list.
std::string path_argument(const std::filesystem::path& path) {
  const std::string text = path_text(path);
  const bool odd = text.starts_with('-') || text.starts_with('[');
  return shell_word(odd ? std::string("./").append(text) : text);
}

bool shapes_weights(const BindOption& option) { return option.group == OptionGroup::method; }

Json value_json(const BindOption& option, const BindSettings& settings) {
  const std::string text = joined_values(option.values(settings));
  return is_number_value(option, text) ? Json::parse(text) : Json(text);
}

}  // namespace

std::string repeat_command(const std::filesystem::path& input, const std::filesystem::path& output,
                           const BindSettings& settings) {
  // The input goes first because some options take any number of values.
  std::string command = "gvbind bind ";
  command += path_argument(input);
  command += " -o ";
  command += path_argument(output);
  command += " --force";
  for (const std::string& argument : option_arguments(settings))
    if (argument != "--force") command.append(" ").append(shell_word(argument));
  return command;
}

AssetEntry entry_of(const BindRequest& request, const BindSettings& settings) {
  AssetEntry asset = new_asset(path_text(request.input.filename()), path_text(request.input),
                               path_text(request.output), AssetStatus::done);
  if (!settings.skeleton.empty()) asset.skeleton = settings.skeleton;
  for (const BindOption& option : bind_options())
    if (shapes_weights(option))
      asset.options.emplace_back(option.name, joined_values(option.values(settings)));
  asset.command = repeat_command(request.input, request.output, settings);
  asset.fail_on = fail_on_of(settings);
  return asset;
}

EntryError entry_error(ErrorKind kind, const std::string& message) {
  return {exit_code(kind), message};
}

FailOn fail_on_of(const BindSettings& settings) {
  if (settings.fail_never) return {};
  FailOn fail_on = settings.fail_on;
  fail_on.worse = settings.fail_on_worse;
  return fail_on;
}

Report report_of(const BindCommand& command) {
  Report report;
  report.out = command.output;
  report.dry_run = command.dry_run;
  for (const BindOption& option : bind_options())
    if (shapes_weights(option) || option.name == "fail-on")
      report.options[option.name] = value_json(option, command);
  return report;
}

}  // namespace gvbind
