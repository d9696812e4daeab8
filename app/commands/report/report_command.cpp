// Tested by tests/command/report_test.py.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "common/asset_log.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/report_files.h"
#include "common/write_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/asset_lines.h"
#include "report/batch_report.h"
#include "report/html_page.h"
#include "report/junit_xml.h"
#include "report/merge_reports.h"

namespace gvbind {

namespace {

/// The parsed command line of `gvbind report merge`.
struct ReportCommand {
  std::vector<std::string> inputs;  ///< JSON reports of `batch` or `bind`
  std::string output;               ///< the merged report; "-": stdout
  std::string html, junit;          ///< empty: none
  std::string pictures;             ///< directory; empty: the report's `out`
  std::string fail_on;              ///< empty: the thresholds of the merged runs
  bool force = false;               ///< outputs may replace any file
};

NamedReport read_report(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file))
    throw Error(ErrorKind::input, file + ": cannot be read");
  try {
    return {file, Json::parse(stream)};
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::input,
                file + ": is not valid JSON, or truncated: at byte " + std::to_string(error.byte));
  }
}

FailOn fail_on_of(const std::string& text) {
  Severity severity = Severity::error;
  bool never = false;
  FailOn fail_on;
  parse_bind_fail_on(text, severity, never, fail_on.worse);
  if (!never) fail_on.severity = severity;
  return fail_on;
}

/// Rejects two outputs on stdout, and files that are not reports of gvbind.
void check_targets(const ReportCommand& command) {
  const auto stdouts = (command.output == "-") + (command.html == "-") + (command.junit == "-");
  if (stdouts > 1)
    throw Error(ErrorKind::usage, "only one of --output, --html and --junit can go to stdout");
  if (command.force) return;
  for (const std::string& target : {command.output, command.html, command.junit})
    refuse_foreign(target);
}

/// Prints the findings that make the exit code nonzero.
void log_merged(const Report& merged) {
  for (const FindingLine& line :
       finding_lines(merged.findings, "", Detail::all, merged.fail_on.value_or(FailOn())))
    print_finding(line.severity, line.text);
  RunProgress progress(ProgressMode::none, false);
  for (const std::string& line : failure_lines(merged)) progress.log(Severity::error, line);
  for (const AssetEntry* asset : failing_assets(merged)) log_failing(*asset, progress);
  log_ending(merged, progress);
}

struct Form {
  std::string target, text;
};

/// Writes each form, also where another one fails, and prints its path. Returns whether all are
/// written.
bool write_forms(const std::vector<Form>& forms, std::size_t reports) {
  const bool to_stdout = std::ranges::count(forms, "-", &Form::target) > 0;
  bool written = true;
  for (const Form& form : forms) try {
      write_text(form.text, form.target, true);
      if (form.target != "-")
        print_line(to_stdout ? stderr : stdout,
                   counted(reports, "report", "reports") + " -> " + form.target);
    } catch (const Error& error) {
      written = false;
      print_finding(Severity::error, error.what());
    }
  return written;
}

/// Returns the exit code of the process.
int run_report(const ReportCommand& command) {
  check_targets(command);
  std::vector<NamedReport> parts;
  for (const std::string& file : command.inputs) parts.push_back(read_report(file));
  std::optional<FailOn> fail_on;
  if (!command.fail_on.empty()) fail_on = fail_on_of(command.fail_on);
  const Report merged = merge_reports(parts, fail_on);
  PageOptions options;
  options.picture = pictures_below(command.pictures.empty() ? merged.out : command.pictures);
  if (!command.html.empty() && command.html != "-")
    options.link = links_from(command.html, merged.out);
  std::vector<Form> forms;
  const bool other_forms = !command.html.empty() || !command.junit.empty();
  if (!command.output.empty() || !other_forms) {
    const std::string target = command.output.empty() ? "-" : command.output;
    const std::string text = json_text(json_of(merged));
    forms.push_back({target, target == "-" ? printable_json(text) : text});
  }
  if (!command.html.empty()) forms.push_back({command.html, html_page(merged, options)});
  if (!command.junit.empty()) forms.push_back({command.junit, junit_xml(merged)});
  log_merged(merged);
  const bool written = write_forms(forms, command.inputs.size());
  log_to_github(merged);
  return written ? merged.exit_code : exit_code(ErrorKind::output);
}

}  // namespace

Subcommand add_report(CLI::App& app) {
  const auto shared = std::make_shared<ReportCommand>();
  ReportCommand& command = *shared;
  CLI::App* report = app.add_subcommand("report", "Join reports, and turn them into other forms");
  report->require_subcommand(1);
  CLI::App* merge = report->add_subcommand(
      "merge", "Join the reports of shards into the one that a single run would have written");
  merge->footer(
      "The exit code is that of the single run; 6 also where a shard's report is missing.\n"
      "Example:\n"
      "  gvbind report merge shard-*.json -o report.json --html report.html --junit report.xml");
  merge->add_option("FILE", command.inputs, "Reports, as --report writes them")
      ->required()
      ->take_all();
  merge
      ->add_option("-o,--output", command.output,
                   "Write the merged report there; - is stdout [-, unless --html or --junit]")
      ->type_name("FILE|-");
  merge->add_option("--html", command.html, "Write one self-contained page there")
      ->type_name("FILE|-");
  merge->add_option("--junit", command.junit, "Write JUnit XML there")->type_name("FILE|-");
  merge
      ->add_option("--pictures", command.pictures,
                   "The folder that the page's pictures are in [the runs' output folder]")
      ->type_name("DIR");
  merge
      ->add_option_function<std::string>(
          "--fail-on",
          [&command](const std::string& text) {
            fail_on_of(text);
            command.fail_on = text;
          },
          "Findings that make the exit code 1 [as the runs had it]")
      ->type_name("error|warning|worse-than-before|never");
  merge->add_flag("--force", command.force,
                  "Let outputs replace files that are no reports of gvbind");
  return {report, [shared] { return run_report(*shared); }};
}

}  // namespace gvbind
