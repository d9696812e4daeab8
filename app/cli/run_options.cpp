// Tested by tests/unit/batch/settings_test.cpp.

#include <algorithm>
#include <utility>

#include "cli/bind_options.h"

namespace gvbind {

namespace {

std::vector<RunOption> file_rows() {
  return {
      {"bind",
       {.name = "output",
        .letter = 'o',
        .heading = file_group,
        .everyday = true,
        .help = "Output file; a folder (DIR/) for several inputs; - is stdout",
        .type_name = "OUT"}},
      {"batch",
       {.name = "output",
        .letter = 'o',
        .heading = file_group,
        .everyday = true,
        .help = "Output folder",
        .default_text = "the manifest's",
        .type_name = "OUT_DIR"}},
      {"bind",
       {.name = "format",
        .heading = file_group,
        .help = "Format of an output on stdout",
        .default_text = "the input's",
        .type_name = "glb|fbx|vrm"}},
  };
}

/// Files beside the outputs.
std::vector<RunOption> kept_rows() {
  return {
      {"bind",
       {.name = "save-distances",
        .old_names = {"keep-distances"},
        .heading = file_group,
        .everyday = true,
        .help = "Write the distances to this file, for 'gvbind tune' and --load-distances",
        .type_name = "FILE"}},
      {"bind",
       {.name = "load-distances",
        .old_names = {"field"},
        .heading = file_group,
        .help = "Compute weights from the distances of another input, written by --save-distances: "
                "LODs, a costume, a damaged variant in the same volume",
        .type_name = "FILE"}},
      {"bind",
       {.name = "cells",
        .heading = file_group,
        .help = "Compute weights from the cells of another input, written by 'gvbind refine --by "
                "cells --keep-cells': LODs, a garment with the same joints",
        .type_name = "FILE"}},
      {"",
       {.name = "certificate",
        .heading = file_group,
        .help = "Write OUTPUT.certificate.json beside each output: hashes of all files, version, "
                "options and figures, for 'gvbind check --verify'",
        .is_flag = true}},
      {"batch",
       {.name = "allow-outside",
        .heading = file_group,
        .help = "Also write outputs that a manifest puts outside the output folder",
        .is_flag = true}},
      {"batch",
       {.name = "delete-orphans",
        .heading = file_group,
        .help = "Delete outputs of this batch whose inputs are gone, unless they have changed "
                "since; without it they are only listed",
        .is_flag = true}},
  };
}

std::vector<RunOption> limit_rows() {
  constexpr const char* memory = "four fifths of the machine's";
  return {
      {"bind",
       {.name = "jobs",
        .letter = 'j',
        .heading = run_group,
        .everyday = true,
        .help = "Number of threads",
        .default_text = "one per core",
        .type_name = "N"}},
      {"batch",
       {.name = "jobs",
        .letter = 'j',
        .heading = run_group,
        .everyday = true,
        .help = "Number of threads for the whole batch",
        .default_text = "one per core",
        .type_name = "N"}},
      {"bind",
       {.name = "max-memory",
        .heading = run_group,
        .help = "Refuse inputs that need more memory, also by an estimate from their size and the "
                "resolution",
        .default_text = memory,
        .type_name = "SIZE"}},
      {"batch",
       {.name = "max-memory",
        .heading = run_group,
        .help = "Memory for the whole batch",
        .default_text = memory,
        .type_name = "SIZE"}},
      {"batch",
       {.name = "timeout",
        .heading = run_group,
        .help = "Time limit per asset: 90, 10m, 1h; 0 for none",
        .default_text = "10m",
        .type_name = "SECONDS|10m"}},
      {"batch",
       {.name = "watch",
        .heading = run_group,
        .everyday = true,
        .help = "Bind again whenever inputs change, until Ctrl-C",
        .is_flag = true}},
      {"batch",
       {.name = "rerun",
        .heading = run_group,
        .everyday = true,
        .help = "Assets to bind: changed or failed ones, only failed ones, or all",
        .default_text = "changed",
        .type_name = "changed|failed|all"}},
  };
}

std::vector<RunOption> farm_rows() {
  return {
      {"batch",
       {.name = "shard",
        .heading = run_group,
        .everyday = true,
        .help = "Bind shard I of N (up to 10000); auto: from the Slurm array",
        .type_name = "I/N|auto"}},
      {"batch",
       {.name = "save-stale",
        .heading = run_group,
        .help = "Write the assets that would be bound to this file, for --load-stale, and stop",
        .type_name = "FILE"}},
      {"batch",
       {.name = "load-stale",
        .heading = run_group,
        .help = "With --shard: split the assets of this list evenly, and the others by their names",
        .type_name = "FILE"}},
      {"batch",
       {.name = "print-job",
        .heading = run_group,
        .help = "Print a job for this farm that runs this batch in --shards, and stop",
        .type_name = "slurm|parallel|openjd|opencue|deadline|buildgraph|kubernetes|jenkins"}},
      {"batch",
       {.name = "shards",
        .heading = run_group,
        .help = "Number of shards of --print-job, 1 to 10000",
        .type_name = "N"}},
  };
}

std::vector<RunOption> look_rows() {
  return {
      {"batch",
       {.name = "list",
        .heading = look_group,
        .everyday = true,
        .help = "Print the inputs and stop",
        .is_flag = true}},
      {"batch",
       {.name = "null",
        .letter = '0',
        .heading = look_group,
        .help = "With --list: exact names, each followed by a zero byte",
        .is_flag = true}},
      {"batch",
       {.name = "print-config",
        .heading = look_group,
        .help = "Print the settings of this asset and the origin of each, and stop",
        .type_name = "FILE"}},
      {"bind",
       {.name = "dry-run",
        .heading = look_group,
        .everyday = true,
        .help = "Print the files that would be bound, and stop",
        .is_flag = true}},
      {"batch",
       {.name = "dry-run",
        .heading = look_group,
        .everyday = true,
        .help = "Print the assets that would be bound, without opening them, and stop",
        .is_flag = true}},
  };
}

std::vector<RunOption> report_rows() {
  return {
      {"",
       {.name = "report",
        .heading = report_group,
        .everyday = true,
        .help = "Write a JSON report to this file; - is stdout",
        .type_name = "FILE|-"}},
      {"bind",
       {.name = "json",
        .heading = report_group,
        .help = "Print the report as JSON on stdout instead of lines",
        .is_flag = true}},
      {"batch",
       {.name = "junit",
        .heading = report_group,
        .help = "Write a JUnit report to this file; - is stdout",
        .type_name = "FILE|-"}},
      {"batch",
       {.name = "html",
        .heading = report_group,
        .everyday = true,
        .help = "Write an HTML page with pictures to this file; - is stdout",
        .type_name = "FILE|-"}},
      {"batch",
       {.name = "pages",
        .heading = report_group,
        .help = "Write a page of each output into this folder, as bind --view does; the cards of "
                "--html link to it",
        .type_name = "DIR"}},
      {"batch",
       {.name = "no-timings",
        .heading = report_group,
        .help = "Leave times and memory out of reports",
        .is_flag = true}},
      {"",
       {.name = "progress", .heading = report_group, .help = "How progress is shown on stderr"}},
      {"",
       {.name = "quiet",
        .letter = 'q',
        .heading = report_group,
        .everyday = true,
        .help = "Print only errors",
        .is_flag = true}},
      {"",
       {.name = "verbose",
        .letter = 'v',
        .heading = report_group,
        .everyday = true,
        .help = "Print all findings, including notes, and the time of each stage",
        .is_flag = true}},
  };
}

std::vector<RunOption> log_rows() {
  return {
      {"",
       {.name = "log",
        .heading = report_group,
        .everyday = true,
        .help = "Write a log to this file, one line per event; -v adds the stages of each asset, "
                "-vv their progress; - is stdout",
        .type_name = "FILE|-"}},
      {"",
       {.name = "log-format",
        .heading = report_group,
        .help = "Log lines: fields separated by tabs, or JSON objects"}},
      {"",
       {.name = "log-mode",
        .heading = report_group,
        .help = "How to open an existing log; rotate: rename it to FILE.1"}},
      {"",
       {.name = "log-keep",
        .heading = report_group,
        .help = "Number of rotated logs to keep",
        .default_text = "7",
        .type_name = "N"}},
  };
}

std::vector<RunOption> make_options() {
  std::vector<RunOption> all;
  for (const auto rows :
       {file_rows, kept_rows, limit_rows, farm_rows, look_rows, report_rows, log_rows})
    for (RunOption& option : rows()) all.push_back(std::move(option));
  return all;
}

std::vector<std::string> make_names() {
  std::vector<std::string> names;
  for (const RunOption& option : run_options())
    if (option.row.name != "output" && std::ranges::count(names, option.row.name) == 0)
      names.push_back(option.row.name);
  return names;
}

}  // namespace

std::span<const RunOption> run_options() {
  static const std::vector<RunOption> options = make_options();
  return options;
}

std::span<const std::string> run_flag_names() {
  static const std::vector<std::string> names = make_names();
  return names;
}

}  // namespace gvbind
