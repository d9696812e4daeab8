#include "bind/bind_requests.h"

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "files/discover.h"
#include "files/output_plan.h"
#include "files/path_glob.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_request(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

/// A file keeps its name even where that looks like a glob.
std::vector<std::string> inputs_of(const BindCommand& command) {
  std::vector<std::string> inputs;
  std::error_code ignored;
  for (const std::string& input : command.inputs) {
    const bool exists = fs::exists(fs::symlink_status(input, ignored));
    if (fs::is_directory(input, ignored))
      throw Error(ErrorKind::input, input + ": is a folder; 'gvbind batch " + input +
                                        " -o OUT_DIR' binds what it holds");
    if (exists || !has_wildcards(input)) {
      inputs.push_back(input);
      continue;
    }
    for (const Candidate& found : discover_inputs({.places = {{input, ""}}}, command.output))
      inputs.push_back(found.input.string());
  }
  return inputs;
}

/// Gives the files of all outputs names of their own. A file beside the outputs is overwritten
/// where it belongs to the one that is.
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
    BindRequest request = request_of(command, input, command.output);
    request.dry_run = command.dry_run;
    request.max_memory = command.max_memory;
    if (makes_directory || is_directory) {
      request.output = fs::path(command.output) / output_name(request.input.filename().string());
      request.create_directories = makes_directory;
    }
    const auto [same, is_new] = outputs.emplace(fold_case(request.output.string()), request);
    if (!is_new)
      refuse_request("two inputs would be written to " + request.output.string() +
                     (same->second.output == request.output ? "" : ", but for its case") + ": " +
                     same->second.input.string() + " and " + input);
    requests.push_back(std::move(request));
  }
  plan_files(requests);
  return requests;
}

}  // namespace gvbind
