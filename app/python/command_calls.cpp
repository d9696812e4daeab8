#include "python/command_calls.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <optional>

#include "cli/command_line.h"
#include "cli/written_files.h"
#include "commands/bind/bind_command.h"
#include "commands/check/check_report.h"
#include "commands/check/verify_certificate.h"
#include "commands/convert/convert_command.h"
#include "commands/refine/refine_command.h"
#include "commands/rig/rig_command.h"
#include "commands/transfer/transfer_command.h"
#include "common/exit_codes.h"
#include "gvbind/base/parallel.h"
#include "report/batch_report.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

ErrorKind kind_of(int code) {
  for (const ErrorKind kind :
       {ErrorKind::usage, ErrorKind::input, ErrorKind::cannot_bind, ErrorKind::output,
        ErrorKind::resource, ErrorKind::time_limit, ErrorKind::canceled})
    if (exit_code(kind) == code) return kind;
  return ErrorKind::internal;
}

void parse(CLI::App& app, const char* command, const Words& words) {
  std::vector<const char*> argv = {"gvbind", command};
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    parse_words(app, static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::Success&) {
    throw Error(ErrorKind::usage, "help and version are no options here");
  }
  check_written_files(*app.get_subcommand(command));
}

/// A command whose flags these words have set.
template <typename Command>
std::shared_ptr<Command> parsed(CLI::App* (*add_flags)(CLI::App&, const std::shared_ptr<Command>&),
                                const char* name, const Words& words) {
  CLI::App app("", "gvbind");
  app.option_defaults()->take_last();
  auto command = std::make_shared<Command>();
  add_flags(app, command);
  parse(app, name, words);
  return command;
}

void refuse(bool given, const char* what) {
  if (given) throw Error(ErrorKind::usage, what);
}

constexpr const char* no_stdin = "- is stdin, which only the command reads; give a file";
constexpr const char* no_log = "--log: only the command and batch() write one";
constexpr const char* no_report = "--report, --json: the call returns the report";

}  // namespace

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::cannot_bind:
      return "cannot_bind";
    case ErrorKind::output:
      return "output";
    case ErrorKind::resource:
      return "resource";
    case ErrorKind::time_limit:
      return "time_limit";
    case ErrorKind::canceled:
      return "canceled";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

Json call_bind(const Words& words, const Progress& progress) {
  CLI::App app("", "gvbind");
  app.option_defaults()->take_last();
  const auto command = std::make_shared<BindCommand>();
  const auto given = std::make_shared<GivenFlags>();
  add_bind_flags(app, command, given);
  parse(app, "bind", words);
  refuse(command->inputs.size() != 1, "bind() takes one input; batch() takes several");
  refuse(command->inputs[0] == stream_name || command->output == stream_name, no_stdin);
  refuse(command->json || !command->report.empty(), no_report);
  refuse(!command->log.path.empty(), no_log);

  Report report;
  std::exception_ptr thrown;  // an exception of the callback is no failure of the asset
  BindWatch watch;
  watch.stage = [&](const std::string&, const char* stage, double done) {
    try {
      if (progress) progress(stage, done);
    } catch (...) {
      thrown = std::current_exception();
      throw Error(ErrorKind::canceled, "canceled");
    }
  };
  with_threads(command->jobs, {}, [&] {
    report = bind_requests(*command, requests_with_page(*command, *given), watch);
  });
  if (thrown) std::rethrow_exception(thrown);
  for (const AssetEntry& asset : report.assets)
    if (asset.error) throw Error(kind_of(asset.error->exit_code), asset.error->message);
  with_threads(command->jobs, {}, [&] { write_bind_page(*command, Announce::no); });
  return json_of(report);
}

Json call_convert(const Words& words) {
  const auto command = parsed(add_convert_flags, "convert", words);
  refuse(command->json, no_report);
  ConvertedFile converted;
  with_threads(command->jobs, {}, [&] { converted = convert_input(*command); });
  return convert_report(*command, converted);
}

Json call_transfer(const Words& words) {
  const auto command = parsed(add_transfer_flags, "transfer", words);
  check_transfer_page(*command);
  const transfer::TransferRequest request = transfer_request(*command);
  std::vector<transfer::TransferredFile> written;
  with_threads(command->jobs, {}, [&] {
    written =
        transfer::transfer_files(request.body, request.garments, request.output, request.options);
    write_page_of(command->output, command->limits, command->view, Announce::no);
  });
  return transfer_report(*command, written);
}

Json call_rig(const Words& words) {
  const auto command = parsed(add_rig_flags, "rig", words);
  refuse(command->json, no_report);
  if (!command->view.empty()) check_page("--view", command->view, command->force);
  RigOutcome outcome;
  with_threads(command->jobs, {}, [&] {
    outcome = rig_input(*command);
    write_page_of(command->output, command->limits, command->view, Announce::no);
  });
  return rig_report(*command, outcome);
}

Json call_refine(const Words& words) {
  const auto command = parsed(add_refine_flags, "refine", words);
  refuse(command->json, no_report);
  motion::RefinedWeights refined;
  with_threads(command->jobs, {}, [&] {
    const std::optional<ViewInput> before = input_of_page(*command);
    refined = refine_input(*command);
    write_refined_page(*command, before, Announce::no);
  });
  return refine_report(*command, refined);
}

Json call_check(const Words& words) {
  const auto command = parsed(add_check_flags, "check", words);
  for (const std::string& input : command->inputs) refuse(input == stream_name, no_stdin);
  refuse(command->json || !command->report.empty(), no_report);
  if (command->verify) return verify_report(*command);
  CheckOutcome outcome;
  with_threads(command->jobs, {}, [&] { outcome = check_inputs(*command); });
  if (outcome.verdicts.size() == 1 && !outcome.verdicts[0].judged)
    throw Error(outcome.verdicts[0].error_kind, outcome.verdicts[0].error);
  return check_report(*command, outcome.verdicts, outcome.of_baseline, outcome.exit_code);
}

}  // namespace gvbind
