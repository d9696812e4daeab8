#include "cli/options.h"

#include "cli/option_values.h"

namespace gvbind {

namespace {

void add(CLI::App& app, const BindOption& option, const TakeOption& take) {
  const std::string flags = flags_of(option), help = help_of(option, is_batch(app));
  const auto take_one = [&option, take](const std::string& text) { take(option, {text}); };
  const auto take_all = [&option, take](const std::vector<std::string>& texts) {
    take(option, texts);
  };
  CLI::Option* added = nullptr;
  if (option.is_flag)
    added = app.add_flag_callback(
        flags, [take_one] { take_one("true"); }, help);
  else if (option.repeatable)
    added =
        app.add_option_function<std::vector<std::string>>(flags, take_all, help)
            ->take_all()
            ->allow_extra_args(false);  // else CLI11 takes a glob [..] for a list, and an INPUT too
  else
    added = app.add_option_function<std::string>(flags, take_one, help);
  if (!option.is_flag) added->type_name(option.type_name);
  added->group(heading_of(option));
}

}  // namespace

bool is_batch(const CLI::App& app) { return app.get_name() == "batch"; }

std::string flags_of(const BindOption& option) {
  std::string flags = option.letter ? std::string("-") + option.letter + "," : "";
  flags += "--" + option.name;
  for (const std::string& name : option.old_names) flags += ",--" + name;
  return flags;
}

CLI::Option* add_text(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::string& type_name,
                      const std::function<void(const std::string&)>& take) {
  return app.add_option_function<std::string>(flag, take, help)->type_name(type_name);
}

const BindOption& run_option(const CLI::App& app, const std::string& name) {
  const std::string command = is_batch(app) ? "batch" : "bind";
  for (const RunOption& option : run_options())
    if (option.row.name == name && (!*option.command || option.command == command))
      return option.row;
  throw Error(ErrorKind::internal, command + " has no option '" + name + "' of the run");
}

CLI::Option* add_run_option(CLI::App& app, const std::string& name,
                            const std::function<void(const std::string&)>& read) {
  const BindOption& row = run_option(app, name);
  if (row.is_flag)
    return app
        .add_flag_callback(
            flags_of(row), [read] { read("true"); }, help_of(row))
        ->group(heading_of(row));
  return add_text(app, flags_of(row), help_of(row), row.type_name, read)->group(heading_of(row));
}

CLI::Option* add_run_option(CLI::App& app, const std::string& name, std::string& value) {
  return add_run_option(app, name, [&value](const std::string& text) { value = text; });
}

CLI::Option* add_run_option(CLI::App& app, const std::string& name, bool& given) {
  const BindOption& row = run_option(app, name);
  return app.add_flag(flags_of(row), given, help_of(row))->group(heading_of(row));
}

CLI::Option* add_run_option(CLI::App& app, const std::string& name, int& count) {
  const BindOption& row = run_option(app, name);
  return app.add_flag(flags_of(row), count, help_of(row))->group(heading_of(row));
}

void add_jobs(CLI::App& app, int& jobs) {
  add_run_option(app, "jobs", [&jobs](const std::string& text) {
    jobs = static_cast<int>(parse_count("--jobs", text, 1, 4096));
  });
}

void add_progress(CLI::App& app, ProgressMode& progress) {
  add_run_choice(app, "progress", progress,
                 {{"auto", ProgressMode::automatic},
                  {"bar", ProgressMode::bar},
                  {"plain", ProgressMode::plain},
                  {"json", ProgressMode::json},
                  {"none", ProgressMode::none}});
}

void add_verbosity(CLI::App& app, bool& quiet, int& verbose) {
  add_run_option(app, "quiet", quiet);
  add_run_option(app, "verbose", verbose);
}

void add_log(CLI::App& app, LogFile& log) {
  CLI::Option* file = add_run_option(app, "log", log.path);
  add_run_choice<LogFormat>(app, "log-format", log.format,
                            {{"text", LogFormat::text}, {"json", LogFormat::json}})
      ->needs(file);
  add_run_choice<LogMode>(
      app, "log-mode", log.mode,
      {{"append", LogMode::append}, {"truncate", LogMode::truncate}, {"rotate", LogMode::rotate}})
      ->needs(file);
  add_run_option(app, "log-keep", [&log](const std::string& text) {
    log.keep = static_cast<int>(parse_number("--log-keep", text, 1, 1000));
  })->needs(file);
}

TakeOption collect_in(const std::shared_ptr<GivenFlags>& given) {
  return [given](const BindOption& option, const std::vector<std::string>& values) {
    BindSettings unused;
    option.apply(unused, values);
    (*given)[&option] = values;
  };
}

void apply_flags(const GivenFlags& given, BindSettings& settings) {
  for (const auto& [option, values] : given) option->apply(settings, values);
}

void add_bind_options(CLI::App& app, OptionGroup group, const TakeOption& take) {
  for (const BindOption& option : bind_options())
    if (option.group == group) add(app, option, take);
}

void add_bind_option(CLI::App& app, const std::string& name, const TakeOption& take) {
  const BindOption* option = find_bind_option(name);
  if (!option) throw Error(ErrorKind::internal, "bind has no option '" + name + "'");
  add(app, *option, take);
}

}  // namespace gvbind
