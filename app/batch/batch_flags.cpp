// Tested by tests/unit/batch/batch_values_test.cpp.

#include "batch/batch_command.h"

#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "batch/batch_command.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr int most_shards = 10000;

[[noreturn]] void refuse_value(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

std::optional<int> read_int(std::string_view text) {
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

int slurm_number(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (!text)
    refuse_value("--shard: 'auto' needs a Slurm array, and " + std::string(name) +
                 " is not set; use --shard I/N");
  const std::optional<int> value = read_int(text);
  if (!value)
    refuse_value("--shard: " + std::string(name) + " is '" + text + "', which is not a number");
  return *value;
}

Shard slurm_shard(const Environment& environment) {
  const int id = slurm_number(environment, "SLURM_ARRAY_TASK_ID");
  const int first = slurm_number(environment, "SLURM_ARRAY_TASK_MIN");
  const int last = slurm_number(environment, "SLURM_ARRAY_TASK_MAX");
  const int count = slurm_number(environment, "SLURM_ARRAY_TASK_COUNT");
  const bool has_step = environment("SLURM_ARRAY_TASK_STEP") != nullptr;
  const int step = has_step ? slurm_number(environment, "SLURM_ARRAY_TASK_STEP") : 1;
  const std::string array = std::to_string(first) + " to " + std::to_string(last) + " by " +
                            std::to_string(step) + ", " + std::to_string(count) + " tasks";
  const auto ambiguous = [&](const std::string& why) {
    refuse_value("--shard: the Slurm array (" + array + ") " + why +
                 ", so 'auto' cannot number the shards; use --shard I/N");
  };
  if (first != 0 && first != 1) ambiguous("does not begin at 0 or 1");
  if (step < 1 || last < first || (static_cast<long long>(last) - first) / step + 1 != count)
    ambiguous("has holes");
  if (id < first || id > last || (id - first) % step != 0)
    ambiguous("does not hold task " + std::to_string(id));
  return {(id - first) / step + 1, count};
}

void add_limits(CLI::App& app, BatchCommand& c) {
  add_jobs(app, c.jobs);
  add_run_option(app, "max-memory", [&c](const std::string& text) {
    c.max_memory = parse_size("--max-memory", text);
  });
  add_run_option(app, "timeout",
                 [&c](const std::string& text) { c.timeout = parse_duration("--timeout", text); });
  add_run_option(app, "shard", [&c](const std::string& text) {
    c.shard = parse_shard(text, [](const char* name) { return std::getenv(name); });
    c.sharded = true;
  });
  add_run_option(app, "save-stale", c.save_stale);
  add_run_option(app, "load-stale", c.load_stale);
  add_run_option(app, "print-job",
                 [&c](const std::string& text) { c.printed_job.farm = parse_farm(text); });
  add_run_option(app, "shards", [&c](const std::string& text) {
    c.printed_job.shards = static_cast<int>(parse_count("--shards", text, 1, most_shards));
  });
  add_run_option(app, "watch", c.watch);
  add_run_option(app, "rerun", [&c](const std::string& text) { c.rerun = parse_rerun(text); });
}

void add_reports(CLI::App& app, BatchCommand& c) {
  add_run_option(app, "report", c.report);
  add_run_option(app, "junit", c.junit);
  add_run_option(app, "html", c.html);
  add_run_option(app, "pages", c.pages);
  add_log(app, c.log);
  add_run_option(app, "no-timings", [&c](const std::string&) { c.timings = false; });
}

void add_questions(CLI::App& app, BatchCommand& c) {
  add_run_option(app, "list", c.list);
  add_run_option(app, "null", c.null_separated);
  add_run_option(app, "print-config", c.print_config);
  add_run_option(app, "dry-run", c.dry_run);
}

/// The options of the command line that every shard gets too, as words. Where results go is up to
/// the job.
std::vector<std::string> given_options(const CLI::App& app) {
  const std::set<std::string> left_out = {"output", "report",    "junit",
                                          "html",   "print-job", "shards"};
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (left_out.contains(name)) continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    for (const std::string& value : option->results())
      if (!is_flag)
        words.push_back("--" + name + "=" + value);
      else if (value != "false")
        words.push_back("--" + name);
  }
  return words;
}

void add_overrides(CLI::App& app, BatchCommand& c) {
  const TakeOption take = [&c](const BindOption& option, const std::vector<std::string>& values) {
    BindSettings unused;
    option.apply(unused, values);
    const auto index = static_cast<std::size_t>(&option - bind_options().data());
    c.overrides.push_back({index, values, "command line"});
  };
  add_bind_options(app, OptionGroup::skeleton, take);
  add_bind_options(app, OptionGroup::method, take);
  add_bind_options(app, OptionGroup::selection, take);
  add_bind_options(app, OptionGroup::running, take);
}

}  // namespace

Rerun parse_rerun(const std::string& text) {
  if (text == "changed") return Rerun::changed;
  if (text == "failed") return Rerun::failed;
  if (text == "all") return Rerun::all;
  refuse_choice("--rerun", text, {"changed", "failed", "all"});
}

Shard parse_shard(const std::string& text, const Environment& environment) {
  if (text == "auto") return slurm_shard(environment);
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  const auto index = read_int(all.substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : read_int(all.substr(slash + 1));
  if (!index || !count || *count < 1 || *count > most_shards || *index < 1 || *index > *count)
    refuse_value("--shard: '" + text + "' is neither I/N with I from 1 to N and N up to " +
                 std::to_string(most_shards) + ", nor 'auto'");
  return {*index, *count};
}

Subcommand add_batch(CLI::App& app) {
  const auto command = std::make_shared<BatchCommand>();
  BatchCommand& c = *command;
  CLI::App* batch =
      app.add_subcommand("batch", "Bind folders of files, or the assets of a manifest");
  batch->footer(
      "Examples:\n"
      "  gvbind batch art/ -o build/ --html build/index.html\n"
      "  gvbind batch 'art/**/*.fbx' -o build/ -r 128\n"
      "  gvbind batch gvbind.toml -o build/ --shard 2/8\n"
      "  gvbind batch gvbind.toml --print-config art/hero.fbx\n\n"
      "Options of bind given here hold for all assets and override the "
      "manifest.");
  batch->add_option("INPUT", c.inputs, "Folders, files, globs (** crosses folders), or a manifest")
      ->required()
      ->take_all();
  add_run_option(*batch, "output", c.output);
  add_run_option(*batch, "certificate", c.certificate);
  add_run_option(*batch, "allow-outside", c.allow_outside);
  add_run_option(*batch, "delete-orphans", c.delete_orphans);
  add_limits(*batch, c);
  add_progress(*batch, c.progress);
  add_verbosity(*batch, c.quiet, c.verbose);
  add_questions(*batch, c);
  add_reports(*batch, c);
  add_overrides(*batch, c);
  return {batch, [command, batch] {
            if (command->printed_job.farm) command->printed_job.options = given_options(*batch);
            return run_batch(*command);
          }};
}

}  // namespace gvbind
