#include "commands/fit/fit_command.h"

#include <filesystem>

#include "commands/fit/fit_inputs.h"
#include "commands/fit/fit_report.h"
#include "common/console.h"
#include "common/write_text.h"
#include "fit/cross_validation.h"
#include "fit/network_source.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "gvbind/fitted/network_file.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Reports an unusable output before minutes of training.
void check_output(const std::string& path, bool force) {
  std::error_code ignored;
  const fs::path folder = fs::absolute(path).parent_path();
  if (!fs::is_directory(folder, ignored))
    throw Error(ErrorKind::output, path + ": there is no folder '" +
                                       path_text(fs::path(path).parent_path()) + "'; create it");
  if (fs::is_directory(path, ignored)) throw Error(ErrorKind::output, path + ": is a folder");
  refuse_existing(path, force);
}

void check_command(const FitCommand& command) {
  check_output(command.output, command.force);
  if (!command.source.empty()) check_output(command.source, command.force);
  if (command.source == command.output)
    throw Error(ErrorKind::usage, "--source and --output name the same file");
  if (!command.notice.empty()) naming(command.notice, [&] { return read_file(command.notice); });
}

void write_outputs(const FitCommand& command, const FitInputs& inputs,
                   const fit::FitResult& result) {
  const WriteOptions options = {.overwrite = command.force};
  NetworkFile file = {result.fitted, fit_notes(command, inputs, result, true)};
  write_files({{"", encode_network(file)}}, command.output, options);
  if (command.source.empty()) return;
  const std::string source =
      fit::network_source(result.fitted, fit_notes(command, inputs, result, false));
  write_files({{"", {source.begin(), source.end()}}}, command.source, options);
}

void print_result(const FitCommand& command, const FitInputs& inputs,
                  const fit::FitResult& result) {
  if (command.json) return write_json(fit_json(command, inputs, result), "-");
  if (command.quiet) return;
  for (const std::string& line : verdict_lines(result, command.by)) print_line(stdout, line);
  const PairNetwork& network = result.fitted.networks.front();
  print_line(
      stdout,
      command.output + ": " +
          grouped(result.fitted.networks.size() * number_count(network.features, network.hidden)) +
          " numbers, fitted on " + counted(inputs.characters.size(), "character", "characters"));
}

}  // namespace

int run_fit(const FitCommand& command) {
  check_command(command);
  start_command(command);
  const FitInputs inputs = read_inputs(command);
  if (!command.quiet)
    for (const LeftOut& out : inputs.left_out)
      print_finding(Severity::warning, out.file + ": left out: " + out.reason);
  if (inputs.characters.empty())
    throw Error(ErrorKind::cannot_bind,
                "there is no character to fit on below '" + command.folders.front() + "'");
  const auto show = [&](int done, int of) {
    show_count(command, "Fitting", static_cast<std::size_t>(done), static_cast<std::size_t>(of));
  };
  const fit::FitResult result =
      fit::fit_network(inputs.characters, command.training, command.folds, show);
  write_outputs(command, inputs, result);
  print_result(command, inputs, result);
  return 0;
}

}  // namespace gvbind
