// Tested by tests/app/batch_config_test.py.

#include <cstdlib>
#include <memory>
#include <string>

#include "batch/batch_command.h"
#include "batch/batch_values.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/subcommands.h"

namespace gvbind {

namespace {

void add_limits(CLI::App& app, BatchCommand& c) {
  add_jobs(app, c.jobs, ", for all assets together");
  add_text(app, "--max-memory", "Memory for all assets together [four fifths of the machine's]",
           "SIZE", [&c](const std::string& t) { c.max_memory = parse_size("--max-memory", t); })
      ->group(run_group);
  add_text(app, "--timeout", "Time per asset: 90, 10m, 1h, 0 for no limit [10m]", "SECONDS|10m",
           [&c](const std::string& t) { c.timeout = parse_duration("--timeout", t); })
      ->group(run_group);
  add_text(app, "--shard", "Bind part I of N of the batch; auto: as a Slurm array says", "I/N|auto",
           [&c](const std::string& t) {
             c.shard = parse_shard(t, [](const char* name) { return std::getenv(name); });
             c.sharded = true;
           })
      ->group(run_group);
  add_text(app, "--rerun", "Bind what has changed or failed, only what failed, or all [changed]",
           "changed|failed|all", [&c](const std::string& t) { c.rerun = parse_rerun(t); })
      ->group(run_group);
}

void add_reports(CLI::App& app, BatchCommand& c) {
  const std::string group = report_group;
  app.add_option("--report", c.report, "Write a JSON report there; - is stdout")
      ->type_name("FILE|-")
      ->group(group);
  app.add_option("--junit", c.junit, "Write a JUnit report there")->type_name("FILE")->group(group);
  app.add_option("--html", c.html, "Write a page with pictures there")
      ->type_name("FILE")
      ->group(group);
  app.add_flag_callback(
         "--no-timings", [&c] { c.timings = false; }, "Leave seconds and memory out of reports")
      ->group(group);
}

void add_questions(CLI::App& app, BatchCommand& c) {
  const std::string group = look_group;
  app.add_flag("--list", c.list, "Print the inputs and stop")->group(group);
  app.add_flag("-0,--null", c.null_separated, "With --list: exact names, each ended by a zero byte")
      ->group(group);
  app.add_option("--print-config", c.print_config,
                 "Print the settings of this asset and where each comes from, and stop")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--dry-run", c.dry_run, "Say what would be bound, and stop")->group(group);
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

Subcommand add_batch(CLI::App& app) {
  const auto command = std::make_shared<BatchCommand>();
  BatchCommand& c = *command;
  CLI::App* batch = app.add_subcommand("batch", "Bind folders of files, or what a manifest lists");
  batch->footer(std::string("Examples:\n"
                            "  gvbind batch art/ -o build/ --html build/index.html\n"
                            "  gvbind batch 'art/**/*.fbx' -o build/ -r 128\n"
                            "  gvbind batch gvbind.toml -o build/ --shard 2/8\n"
                            "  gvbind batch gvbind.toml --print-config art/hero.fbx\n\n"
                            "Options of bind given here hold for all assets and override the "
                            "manifest.\n\n") +
                exit_codes);
  batch->add_option("INPUT", c.inputs, "Folders, files, globs (** crosses folders), or a manifest")
      ->required()
      ->take_all();
  batch->add_option("-o,--output", c.output, "The output folder [the manifest's]")
      ->type_name("OUT_DIR")
      ->group(file_group);
  batch
      ->add_flag("--allow-outside", c.allow_outside,
                 "Write outputs that a manifest puts outside the output folder, too")
      ->group(file_group);
  add_limits(*batch, c);
  add_progress(*batch, c.progress);
  add_verbosity(*batch, c.quiet, c.verbose);
  add_questions(*batch, c);
  add_reports(*batch, c);
  add_overrides(*batch, c);
  return {batch, [command] { return run_batch(*command); }};
}

}  // namespace gvbind
