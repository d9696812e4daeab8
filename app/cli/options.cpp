#include "cli/options.h"

#include "cli/option_values.h"

namespace gvbind {

namespace {

const char* help_group_of(const BindOption& option) {
  if (option.name == "resolution" || option.name == "alpha" || option.name == "penalty")
    return first_group;
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
  return option.name == "force" ? file_group : run_group;
}

void add(CLI::App& app, const BindOption& option, const TakeOption& take) {
  std::string flags = "--" + option.name;
  for (const std::string& name : option.old_names) flags += ",--" + name;
  if (option.letter) flags = std::string("-") + option.letter + "," + flags;
  const auto take_one = [&option, take](const std::string& text) { take(option, {text}); };
  const auto take_all = [&option, take](const std::vector<std::string>& texts) {
    take(option, texts);
  };
  CLI::Option* added = nullptr;
  if (option.is_flag)
    added = app.add_flag_callback(
        flags, [take_one] { take_one("true"); }, option.help);
  else if (option.repeatable)
    added =
        app.add_option_function<std::vector<std::string>>(flags, take_all, option.help)
            ->take_all()
            ->allow_extra_args(false);  // else CLI11 takes a glob [..] for a list, and an INPUT too
  else
    added = app.add_option_function<std::string>(flags, take_one, option.help);
  if (!option.is_flag) added->type_name(option.type_name);
  added->group(help_group_of(option));
}

}  // namespace

CLI::Option* add_text(CLI::App& app, const std::string& flag, const std::string& help,
                      const std::string& type_name,
                      const std::function<void(const std::string&)>& take) {
  return app.add_option_function<std::string>(flag, take, help)->type_name(type_name);
}

void add_jobs(CLI::App& app, int& jobs, const std::string& of_what) {
  add_text(app, "-j,--jobs", "Threads" + of_what + " [one per core]", "N",
           [&jobs](const std::string& text) {
             jobs = static_cast<int>(parse_count("--jobs", text, 1, 4096));
           })
      ->group(run_group);
}

void add_progress(CLI::App& app, ProgressMode& progress) {
  add_choice(app, "--progress", progress,
             {{"auto", ProgressMode::automatic},
              {"bar", ProgressMode::bar},
              {"plain", ProgressMode::plain},
              {"json", ProgressMode::json},
              {"none", ProgressMode::none}},
             "How progress is shown on stderr")
      ->group(report_group);
}

void add_verbosity(CLI::App& app, bool& quiet, int& verbose) {
  app.add_flag("-q,--quiet", quiet, "Only errors")->group(report_group);
  app.add_flag("-v,--verbose", verbose, "Every finding, notes too, and the time of every stage")
      ->group(report_group);
}

void add_log(CLI::App& app, LogFile& log) {
  CLI::Option* file =
      app.add_option("--log", log.path,
                     "Write what happens there, a line an event; with -v the stages of every "
                     "asset too, with -vv how far they are; - is stdout")
          ->type_name("FILE|-")
          ->group(report_group);
  add_choice<LogFormat>(app, "--log-format", log.format,
                        {{"text", LogFormat::text}, {"json", LogFormat::json}},
                        "Lines of the log: fields between tabs, or JSON objects")
      ->needs(file)
      ->group(report_group);
  add_choice<LogMode>(
      app, "--log-mode", log.mode,
      {{"append", LogMode::append}, {"truncate", LogMode::truncate}, {"rotate", LogMode::rotate}},
      "What becomes of a log that is there; rotate: it becomes FILE.1")
      ->needs(file)
      ->group(report_group);
  add_text(app, "--log-keep", "Old files that rotating keeps [7]", "N",
           [&log](const std::string& text) {
             log.keep = static_cast<int>(parse_number("--log-keep", text, 1, 1000));
           })
      ->needs(file)
      ->group(report_group);
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
