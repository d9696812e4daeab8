#include "cli/program.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command_line.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "formats/import/import.h"
#include "gvbind/error.h"
#include "io/staging_cleanup.h"
#include "platform/child.h"
#include "platform/session.h"
#include "platform/system.h"

namespace gvbind {

namespace {

/// The exit code of the process: `code`, or that of ErrorKind::output, with a line on stderr, where
/// a command that succeeded could not write all of its text to stdout. To be called last.
int close_standard_output(int code) {
  const bool lost_before = std::ferror(stdout) != 0;
  const int error = platform::settle_stream(stdout);
  if (error == 0 && !lost_before) return code;
  const std::string why = error == 0 ? "" : ": " + std::generic_category().message(error);
  print_finding(Severity::error, "stdout: cannot be written" + why);
  return code <= 1 ? exit_code(ErrorKind::output) : code;
}

int run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  try {
    return run_command_line(static_cast<int>(words.size()), argv.data());
  } catch (...) {
    const Error error = caught_error();
    print_finding(Severity::error, error.what());
    return exit_code(error.kind());
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  platform::prepare_streams();
  platform::keep_freed_memory();
  platform::handle_ending_signals(end_on_signal);
  const platform::ChildArguments child = platform::child_arguments(argc, argv);
  if (child.answer >= 0) answer_import(child.words, child.answer);
  return close_standard_output(
      run(child.words.empty() ? platform::arguments(argc, argv) : child.words));
}

}  // namespace gvbind
