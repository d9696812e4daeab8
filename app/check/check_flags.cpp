// Tested by tests/app/check_test.py.

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "check/check_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/subcommands.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Nothing below a limit that the user gave is worth a warning.
void set_limit(CheckLimit& limit, double value) { limit = {value, value}; }

template <class Take>
void add_number(CLI::App& app, const std::string& flag, const std::string& type, double low,
                double high, const Take& take, const std::string& help) {
  const std::string name = flag.substr(flag.find("--"));
  app.add_option_function<std::string>(
         flag, [=](const std::string& t) { take(parse_number(name, t, low, high)); }, help)
      ->type_name(type);
}

template <class Take>
void add_whole(CLI::App& app, const std::string& flag, double low, double high, const Take& take,
               const std::string& help) {
  const std::string name = flag.substr(flag.find("--"));
  const auto whole = [=](double value) {
    if (value != std::floor(value)) throw Error(ErrorKind::usage, name + ": is not a whole number");
    take(value);
  };
  add_number(app, flag, "N", low, high, whole, help);
}

void add_limits(CLI::App& app, CheckOptions& o) {
  app.option_defaults()->group("Limits: what exceeds one that is given here is an error");
  app.add_option_function<std::string>(
         "-n,--max-influences",
         [&o](const std::string& t) {
           const int n = parse_max_influences(t);
           set_limit(o.influences, n > 0 ? n : CheckLimit::none);
         },
         "Joints a vertex [note above 4]")
      ->type_name("N|all");
  add_number(
      app, "--max-bleed", "0..1", 0.0, 1.0, [&o](double x) { set_limit(o.bleed_share, x); },
      "Part of the weight that goes to far joints across a gap [warning above 0.25]");
  add_number(
      app, "--max-far-surface", "0..1", 0.0, 1.0, [&o](double x) { set_limit(o.far_surface, x); },
      "Part of the surface that follows a far joint [warning above 0.02, error above 0.3]");
  add_number(
      app, "--max-far-joint", "0..1", 0.0, 1.0, [&o](double x) { set_limit(o.far_joint, x); },
      "How much farther a joint may lie from what it moves than other joints do, of the size "
      "[warning above 0.08, error above 0.2]");
  add_number(
      app, "--max-stretch", "RATIO", 1.0, 1e6, [&o](double x) { set_limit(o.stretch_p99, x); },
      "Ratio that 99 % of the edges stay below [warning above 15, error above 25]");
  add_whole(
      app, "--max-unweighted", 0, 1e9, [&o](double n) { set_limit(o.without_weight, n); },
      "Vertices without weight [error above 0]");
  add_whole(
      app, "--max-idle-joints", 0, 1e6, [&o](double n) { set_limit(o.idle_joints, n); },
      "Joints that move nothing [note above 0]");
  add_number(
      app, "--sum-tolerance", "0..1", 0.0, 1.0, [&o](double x) { o.rows.sum_tolerance = x; },
      "How far a vertex's weights may be from a sum of one [0.001]");
}

void add_poses(CLI::App& app, StretchOptions& o) {
  app.option_defaults()->group("Random poses");
  add_whole(
      app, "--poses", 1, 1000, [&o](double n) { o.poses = static_cast<int>(n); }, "How many [16]");
  add_number(
      app, "--pose-degrees", "DEG", 0.0, 180.0, [&o](double x) { o.degrees = x; },
      "How far a joint turns at most [40]");
  add_whole(
      app, "--seed", 0, 1e9, [&o](double n) { o.seed = static_cast<std::uint64_t>(n); },
      "Other poses for another number [1]");
}

void add_running(CLI::App& app, CheckCommand& command) {
  app.option_defaults()->group("Options");
  app.add_option("--report", command.report, "Write a JSON report there; - is stdout")
      ->type_name("FILE|-");
  app.add_option("--baseline", command.baseline,
                 "An earlier report: what got worse since is an error")
      ->type_name("REPORT");
  app.add_option_function<std::string>(
         "--fail-on",
         [&command](const std::string& t) {
           parse_fail_on(t, command.fail_on, command.fail_never);
         },
         "Findings that make the exit code 1 [error]")
      ->type_name("error|warning|never");
  add_read_limits(app, command.limits);
  add_whole(
      app, "-j,--jobs", 1, 4096, [&command](double n) { command.jobs = static_cast<int>(n); },
      "Threads [one a core]");
  app.add_flag("--json", command.json, "The report on stdout instead of lines");
  app.add_flag("-q,--quiet", command.quiet, "No lines but errors");
}

}  // namespace

Subcommand add_check(CLI::App& app) {
  const auto command = std::make_shared<CheckCommand>();
  CLI::App* check =
      app.add_subcommand("check", "Judge the skin of any file, whoever bound it: a gate for CI");
  check->footer(
      "Examples:\n"
      "  gvbind check characters/*.fbx\n"
      "  gvbind check characters/*.fbx --report check.json         # keep it as the baseline\n"
      "  gvbind check characters/*.fbx --baseline check.json       # fails where one got worse\n"
      "\n"
      "Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage; 3 a file that cannot be "
      "read (the rest is judged still); 5 the report cannot be written; 7 out of memory.");
  check->add_option("FILE", command->inputs, "Skinned files")->required()->take_all();
  add_running(*check, *command);
  add_limits(*check, command->options);
  add_poses(*check, command->options.stretch);
  return {check, [command] { return run_check(*command); }};
}

}  // namespace gvbind
