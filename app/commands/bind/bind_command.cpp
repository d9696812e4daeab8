#include "commands/bind/bind_command.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/written_files.h"
#include "commands/bind/bind_file.h"
#include "commands/bind/bind_report.h"
#include "commands/bind/field_request.h"
#include "commands/bind/view_tuning.h"
#include "common/asset_log.h"
#include "common/certificate.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/resources.h"
#include "common/write_text.h"
#include "files/discover.h"
#include "files/output_plan.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "motion/cells_file.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

/// Fails before anything large is allocated.
void check_memory(const BindRequest& request) {
  const std::uint64_t limit = request.max_memory;
  const int resolution = planned_resolution(request);
  const std::size_t needed =
      estimate_memory(asset_size(request.input, request.skeleton, resolution));
  const std::uint64_t allowed = memory_limit(limit);
  if (needed <= allowed) return;
  const auto mebibytes = [](std::size_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
  };
  throw Error(ErrorKind::resource,
              path_text(request.input) + ": needs about " + mebibytes(needed) +
                  " of memory by its size and the resolution " + std::to_string(resolution) +
                  ", more than the " + mebibytes(allowed) +
                  (limit > 0 ? " of --max-memory"
                             : " that may be taken of this machine; --max-memory sets a limit"));
}

/// Hides the paths of the temporary files behind stdin and stdout.
void name_streams(const StreamFolder& streams, AssetEntry& entry) {
  for (std::string* text : {&entry.input, &entry.output, &entry.command})
    *text = streams.told(*text);
  for (Finding& finding : entry.findings) finding.message = streams.told(finding.message);
  if (entry.error) entry.error->message = streams.told(entry.error->message);
}

void bind_certified(BindRequest request, const Progress& progress, AssetEntry& entry) {
  if (!request.overwrite) refuse_foreign_certificate(request.output);
  CertificateDraft draft(request.input, request.skeleton, request.output);
  request.before_write = [&](const std::vector<EncodedFile>& files) { draft.add_outputs(files); };
  const BoundFile bound = bind_file(request, progress);
  static_cast<BindEntry&>(entry) = bound.entry;
  draft.add_sidecars(bound.input_sidecars, bound.skeleton_sidecars);
  write_certificate(draft, entry);
}

AssetEntry bind_one(const BindRequest& request, const BindCommand& command,
                    const BindWatch& watch) {
  AssetEntry entry = entry_of(request, command);
  const auto start = std::chrono::steady_clock::now();
  if (watch.start) watch.start(entry.name);
  try {
    check_memory(request);
    const auto report = [&](const char* stage, double done) {
      if (watch.stage) watch.stage(entry.name, stage, done);
    };
    if (command.certificate && !request.dry_run)
      bind_certified(request, report, entry);
    else
      static_cast<BindEntry&>(entry) = bind_file(request, report).entry;
  } catch (...) {
    const Error error = caught_error(path_text(request.input));
    entry.status = AssetStatus::failed;
    entry.error = entry_error(error.kind(), error.what());
  }
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (command.streams) name_streams(*command.streams, entry);
  return entry;
}

namespace fs = std::filesystem;

[[noreturn]] void refuse_request(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

/// The path of an existing file is taken literally even if it looks like a glob.
std::vector<std::string> inputs_of(const BindCommand& command) {
  std::vector<std::string> inputs;
  std::error_code ignored;
  for (const std::string& input : command.inputs) {
    const bool exists = fs::exists(fs::symlink_status(input, ignored));
    if (fs::is_directory(input, ignored))
      throw Error(ErrorKind::input,
                  input + ": is a folder; 'gvbind batch " + input + " -o OUT_DIR' binds its files");
    if (exists || !has_wildcards(input)) {
      inputs.push_back(input);
      continue;
    }
    for (const Candidate& found : discover_inputs({.places = {{input, ""}}}, command.output))
      inputs.push_back(path_text(found.input));
  }
  return inputs;
}

/// Chooses names for the files beside all outputs so that none collide. An existing file is
/// replaced only if it belongs to the output that is replaced.
void plan_files(std::vector<BindRequest>& requests) {
  std::vector<OutputAsset> assets;
  for (const BindRequest& request : requests) assets.push_back({request.input, request.output});
  std::vector<OutputPlan> plans = plan_outputs(assets);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].file_names = std::move(plans[i].names);
    requests[i].why_keep = [own = std::move(plans[i].replaceable)](const std::string& path) {
      if (path.empty() || own.contains(path)) return std::string();
      return "its sidecar '" + path +
             "' is there already, and not of the output that is overwritten";
    };
  }
}

}  // namespace

std::vector<BindRequest> requests_of(const BindCommand& command) {
  const std::vector<std::string> inputs = inputs_of(command);
  std::error_code ignored;
  const bool several = inputs.size() > 1,
             makes_directory = several || command.output.ends_with('/');
  const std::string bare = command.output.substr(0, command.output.find_last_not_of('/') + 1);
  const bool is_directory = fs::is_directory(command.output, ignored);
  if (makes_directory && !is_directory && fs::exists(bare, ignored))
    refuse_request("--output: '" + command.output + "' is a file" +
                   (several ? ", and several inputs need a folder" : ""));
  std::vector<BindRequest> requests;
  std::map<std::string, BindRequest> outputs;
  for (const std::string& input : inputs) {
    fs::path output = command.output;
    if (makes_directory || is_directory)
      output /= output_name(path_text(fs::path(input).filename()));
    const auto make = [&] { return request_of(command, input, output); };
    BindRequest request = several ? naming(input, make) : make();
    request.dry_run = command.dry_run;
    request.max_memory = command.max_memory;
    request.create_directories = makes_directory;
    const auto [same, is_new] = outputs.emplace(fold_case(path_text(request.output)), request);
    if (!is_new)
      refuse_request(
          "two inputs would be written to " + path_text(request.output) +
          (same->second.output == request.output ? "" : " (names that differ only in case)") +
          ": " + path_text(same->second.input) + " and " + input);
    requests.push_back(std::move(request));
  }
  plan_files(requests);
  return requests;
}

void start_bind(const BindCommand& command) {
  if (command.json && command.report == "-")
    throw Error(ErrorKind::usage, "--json and --report - both write to stdout");
  if (command.log.path == "-" && (command.json || command.report == "-"))
    throw Error(ErrorKind::usage, std::string("--log - and ") +
                                      (command.json ? "--json" : "--report -") +
                                      " both write to stdout");
  limit_memory(memory_limit(command.max_memory));
  set_up_threads(command.jobs);
}

Report bind_requests(const BindCommand& command, const std::vector<BindRequest>& requests,
                     const BindWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  Report report = report_of(command);
  for (const BindRequest& request : requests) {
    report.assets.push_back(bind_one(request, command, watch));
    if (watch.end) watch.end(report.assets.back());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  finish_report(report, seconds.count(), fail_on_of(command));
  return report;
}

namespace {

/// Outputs in a folder get their names from the inputs, so no option shows a conflict with them.
void check_report(const BindCommand& command, const std::vector<BindRequest>& requests) {
  for (const BindRequest& request : requests) {
    std::vector<NamedFile> others = files_of(command);
    others.push_back({"an input", path_text(request.input)});
    others.push_back({"an output", path_text(request.output)});
    add_files_beside(request.input, others);
    std::vector<NamedFile> written = files_of(command.log);
    for (const NamedFile& log : written)
      refuse_shared(log, {{"the file of --report", command.report},
                          {"the file of --save-distances", command.keep_distances}});
    written.push_back({"--report", command.report});
    written.push_back({"--save-distances", command.keep_distances});
    for (const NamedFile& file : written) refuse_shared(file, others);
  }
  if (command.force) return;
  if (command.certificate)
    for (const BindRequest& request : requests) refuse_foreign_certificate(request.output);
  refuse_foreign(command.report);
  refuse_foreign_log(command.log);
}

int bind_and_tell(const BindCommand& command, const std::vector<BindRequest>& requests,
                  const std::shared_ptr<const EventLog>& events) {
  LogOptions log =
      log_options(command.quiet, command.verbose, command.dry_run, command.report, command.json);
  log.results_on_stderr =
      log.results_on_stderr || command.results_on_stderr || command.log.path == "-";
  RunProgress progress(command.progress, command.quiet, events);
  progress.run_start(requests.size(), 0);
  BindWatch watch;
  watch.start = [&](const std::string& name) { progress.asset_start(name); };
  watch.stage = [&](const std::string& name, const char* stage, double done) {
    progress.stage(name, stage, done);
  };
  watch.end = [&](const AssetEntry& entry) { log_asset(entry, log, progress); };
  const Report report = bind_requests(command, requests, watch);
  progress.run_end(report.exit_code);
  if (report.assets.size() > 1) log_summary(report, log, progress);
  if (!command.report.empty()) write_json(json_of(report), command.report);
  if (command.json) write_json(json_of(report), "-");
  return report.exit_code;
}

}  // namespace

int run_requests(const BindCommand& command, const std::vector<BindRequest>& requests) {
  check_report(command, requests);
  const auto events = open_log(command.log, log_level(command.verbose), false);
  const std::string output =
      command.streams ? command.streams->told(command.output) : command.output;
  return with_log(events, "bind into " + output,
                  [&] { return bind_and_tell(command, requests, events); });
}

namespace {

void check_view(const BindCommand& command) {
  if (command.view.empty()) return;
  if (command.inputs.size() != 1 || command.output.ends_with('/') || command.streams)
    refuse_request("--view: shows one output that is a file");
  if (command.dry_run) refuse_request("--view: shows an output, and --dry-run writes none");
  if (command.json || command.report == stream_name || command.log.path == stream_name)
    refuse_request("--view: prints a line to stdout, where a report or a log goes");
}

}  // namespace

std::vector<BindRequest> requests_with_page(BindCommand& command, const GivenFlags& given) {
  check_view(command);
  std::vector<BindRequest> requests = planned_requests(command, given);
  if (!command.view.empty()) check_page("--view", command.view, command.force);
  return requests;
}

void write_bind_page(const BindCommand& command, Announce announce) {
  if (command.view.empty()) return;
  ViewInput input = read_for_page(command.output, {command.asset_root, command.max_memory});
  ViewExtras extras;
  std::optional<ViewTuning> tuning;
  if (!command.keep_distances.empty()) try {
      tuning = view_tuning(command.keep_distances, input);
      extras.tuning = &*tuning;
    } catch (const Error& error) {
      print_finding(Severity::note, command.view + ": has no sliders: " + error.what());
    }
  write_page(input, extras, command.view, announce);
}

namespace {

/// Substitutes temporary files for stdin and stdout.
void open_streams(BindCommand& command) {
  const auto streams_in = std::ranges::count(command.inputs, stream_name);
  const bool streams_out = command.output == stream_name;
  if (!streams_out && !command.format.empty())
    refuse_request("--format: names the format of '-o -'; elsewhere the output's extension does");
  if (streams_in == 0 && !streams_out) return;
  if (command.inputs.size() != 1)
    refuse_request("- stands for one input and one output, and there are several");
  if (streams_out && (command.json || command.report == stream_name))
    refuse_request("--output -: the report goes to stdout too; --report FILE keeps it elsewhere");
  if (streams_out && command.log.path == stream_name)
    refuse_request("--log - and --output - both write to stdout");
  if (command.certificate)
    refuse_request("--certificate: lies beside its output, and names its input; - has no place");
  command.streams = std::make_shared<StreamFolder>();
  if (streams_out) refuse_terminal("a document");
  if (streams_in > 0)
    command.inputs = {path_text(command.streams->receive(memory_limit(command.max_memory)))};
  if (streams_out) {
    command.output = path_text(command.streams->outgoing(command.format, command.inputs[0]));
    command.results_on_stderr = true;
  }
}

/// Returns the exit code of the process.
int run_bind(BindCommand& command, const GivenFlags& given) {
  start_bind(command);
  try {
    open_streams(command);
    const std::vector<BindRequest> requests = requests_with_page(command, given);
    const int code = run_requests(command, requests);
    std::error_code ignored;
    if (code <= 1) write_bind_page(command, command.quiet ? Announce::no : Announce::yes);
    if (command.results_on_stderr && code <= 1 && fs::exists(command.output, ignored))
      StreamFolder::send(command.output);
    return code;
  } catch (const Error& error) {
    if (!command.streams) throw;
    throw Error(error.kind(), command.streams->told(error.what()));
  }
}

}  // namespace

namespace {

/// Throws Error(usage) for options without effect, since the cells alone decide the weights.
std::shared_ptr<const motion::SkinCells> read_cells(const BindCommand& command,
                                                    const GivenFlags& given) {
  constexpr std::array<std::string_view, 9> taken = {"max-influences", "engine",      "existing",
                                                     "mirror-axis",    "lock",        "give",
                                                     "refine",         "joint-names", "skinning"};
  if (!command.field.empty())
    refuse_request("--cells and --load-distances each give the weights; use one");
  if (!command.keep_distances.empty())
    refuse_request("--save-distances: with --cells there are none to keep");
  for (const auto& [option, values] : given)
    if (option->group == OptionGroup::method && std::ranges::count(taken, option->name) == 0)
      refuse_request("--" + option->name +
                     ": with --cells weights are the cells', which do not "
                     "depend on it");
  return std::make_shared<motion::SkinCells>(
      naming(command.cells, [&] { return motion::decode_cells(read_file(command.cells)); }));
}

}  // namespace

std::vector<BindRequest> planned_requests(BindCommand& command, const GivenFlags& given) {
  std::shared_ptr<const DistanceCache> field;
  const auto cells = command.cells.empty() ? nullptr : read_cells(command, given);
  if (!command.field.empty()) {
    if (!command.keep_distances.empty())
      refuse_request("--save-distances: with --load-distances there are none to keep");
    field = std::make_shared<DistanceCache>(read_field(command.field));
    static_cast<BindSettings&>(command) = settings_in_field(*field, command.field, given);
  } else {
    apply_flags(given, command);
  }
  std::vector<BindRequest> requests = requests_of(command);
  for (BindRequest& request : requests) {
    request.from_field = field;
    request.from_cells = cells;
  }
  if (!command.keep_distances.empty()) {
    if (requests.size() != 1)
      refuse_request("--save-distances: keeps those of one input, and there are several");
    requests[0].keep = field_request(command, requests[0].input, command.keep_distances);
  }
  return requests;
}

Subcommand add_bind(CLI::App& app) {
  const auto command = std::make_shared<BindCommand>();
  const auto given = std::make_shared<GivenFlags>();
  return {add_bind_flags(app, command, given),
          [command, given] { return run_bind(*command, *given); }};
}

}  // namespace gvbind
