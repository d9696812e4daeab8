#include "report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "assets/write.h"

namespace gvbind {

namespace {

std::string views_text(unsigned views) {
  constexpr const char* names[] = {"+x", "-x", "+y", "-y", "+z", "-z"};
  std::string text;
  for (unsigned i = 0; i < 6; ++i)
    if (views >> i & 1u) text.append(text.empty() ? "" : ",").append(names[i]);
  return text;
}

const char* leaf_name(LeafRule leaf) {
  return leaf == LeafRule::surface  ? "surface"
         : leaf == LeafRule::extend ? "extend"
         : leaf == LeafRule::point  ? "point"
                                    : "ignore";
}

const char* device_name(Device device) {
  return device == Device::automatic ? "auto" : device == Device::egl ? "egl" : "cpu";
}

/// By long flag.
Report options_json(const BindOptions& o, Volume volume) {
  Report json = {{"resolution", o.resolution},
                 {"alpha", o.alpha},
                 {"penalty", o.penalty},
                 {"max-influences", o.max_influences},
                 {"device", device_name(o.device)},
                 {"views", views_text(o.views)},
                 {"winding", o.winding ? "on" : "off"},
                 {"leaf", leaf_name(o.leaf)},
                 {"volume", volume == Volume::all ? "all" : "per-mesh"}};
  if (o.max_influences == 0) json["max-influences"] = "all";
  return json;
}

std::string value_text(const Report& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Report option_texts(const BindRequest& request) {
  Report texts = Report::object();
  const Report options = options_json(request.options, request.volume);
  for (const auto& [name, value] : options.items()) texts[name] = value_text(value);
  return texts;
}

/// The flags of a selection, each with one of its globs.
std::vector<std::pair<std::string, std::string>> selection_flags(const Selection& selection) {
  std::vector<std::pair<std::string, std::string>> flags;
  for (const auto& [flag, values] : {std::pair{"--meshes", &selection.meshes},
                                     {"--joints", &selection.joints},
                                     {"--exclude", &selection.exclude},
                                     {"--root", &selection.roots}})
    for (const std::string& value : *values) flags.emplace_back(flag, value);
  return flags;
}

/// Inputs of one run have different file names where there are several, and so have its assets.
std::string name_of(const AssetResult& result) { return result.request.input.filename().string(); }

}  // namespace

void put_outcome(Report& asset, const BindOutcome& outcome) {
  Report meshes = Report::array(), joints = Report::array(), stages = Report::array();
  for (const BoundMesh& mesh : outcome.meshes)
    meshes.push_back({{"name", mesh.name},
                      {"vertices", mesh.vertices},
                      {"triangles", mesh.triangles},
                      {"bound", mesh.bound}});
  for (std::size_t j = 0; j < outcome.joints.size(); ++j) {
    Report joint = {{"name", outcome.joints[j]}};
    if (j < outcome.joint_vertices.size()) joint["vertices"] = outcome.joint_vertices[j];
    joints.push_back(std::move(joint));
  }
  const BindStatistics& s = outcome.statistics;
  std::size_t peak = 0;
  for (const StageTime& stage : s.stages) {
    stages.push_back(
        {{"name", stage.stage}, {"seconds", stage.seconds}, {"peak_bytes", stage.peak_bytes}});
    peak = std::max(peak, stage.peak_bytes);
  }
  put_member(asset, "device", s.device);
  put_member(asset, "meshes", std::move(meshes));
  put_member(asset, "joints", std::move(joints));
  put_member(asset, "voxels",
             {{"interior", s.interior_voxels},
              {"boundary", s.boundary_voxels},
              {"single_votes", s.single_votes},
              {"single_votes_interior", s.winding_interior},
              {"sparse", s.sparse_voxels}});
  put_member(asset, "unreached_vertices", s.unreached_vertices);
  put_member(asset, "stages", std::move(stages));
  put_member(asset, "peak_bytes", peak);
  asset["findings"] = findings_json(outcome.findings);
}

std::string bind_command_line(const BindRequest& request) {
  std::string line = "gvbind bind " + shell_word(request.input.string()) + " -o " +
                     shell_word(request.output.string());
  const auto add = [&](const std::string& flag, const std::string& value) {
    line.append(" ").append(flag).append(" ").append(shell_word(value));
  };
  if (!request.skeleton.empty()) add("-s", request.skeleton.string());
  const Report usual = options_json({}, Volume::all);
  const Report own = options_json(request.options, request.volume);
  for (const auto& [name, value] : own.items())
    if (value != usual[name]) add("--" + name, value_text(value));
  for (const auto& [flag, value] : selection_flags(request.selection)) add(flag, value);
  return line + " --force";
}

Report asset_json(const AssetResult& result, const std::string& name) {
  const BindRequest& request = result.request;
  Report asset = new_asset(name, request.input.string(), request.output.string(),
                           result.outcome ? "done" : "failed");
  asset["seconds"] = result.seconds;
  if (!request.skeleton.empty()) asset["skeleton"] = request.skeleton.string();
  asset["options"] = option_texts(request);
  asset["command"] = bind_command_line(request);
  if (result.outcome)
    put_outcome(asset, *result.outcome);
  else
    asset["error"] = {{"exit_code", static_cast<int>(result.error_kind)},
                      {"message", result.error}};
  return asset;
}

Report report_json(const BindCommand& command, const std::vector<AssetResult>& results,
                   double seconds, int exit_code) {
  RunFacts run{options_json(command.options, command.volume), command.output, command.dry_run, {}};
  run.options["fail-on"] = command.fail_never ? "never" : severity_name(command.fail_on);
  Report report = new_report(run);
  for (const AssetResult& result : results)
    report["assets"].push_back(asset_json(result, name_of(result)));
  finish_report(report, seconds, command.fail_never ? FailOn() : command.fail_on);
  report["exit_code"] = exit_code;
  return report;
}

void write_text(const std::string& text, const std::string& target) {
  if (target == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    return;
  }
  const std::vector<EncodedFile> files = {{"", {text.begin(), text.end()}}};
  StagedFiles staged(files, target, WriteOptions{true, false});
  staged.commit();
}

void write_report(const Report& report, const std::string& target) {
  write_text(report_text(report), target);
}

}  // namespace gvbind
