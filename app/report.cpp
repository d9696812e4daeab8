#include "report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "assets/write.h"

namespace gvbind {

namespace {

using nlohmann::ordered_json;

std::string views_text(unsigned views) {
  constexpr const char* names[] = {"+x", "-x", "+y", "-y", "+z", "-z"};
  std::string text;
  for (unsigned i = 0; i < 6; ++i)
    if (views >> i & 1u) text.append(text.empty() ? "" : ",").append(names[i]);
  return text;
}

const char* leaf_name(LeafRule leaf) {
  return leaf == LeafRule::extend ? "extend" : leaf == LeafRule::point ? "point" : "ignore";
}

const char* device_name(Device device) {
  return device == Device::automatic ? "auto" : device == Device::egl ? "egl" : "cpu";
}

ordered_json options_json(const BindCommand& command) {
  const BindOptions& o = command.options;
  ordered_json json = {{"resolution", o.resolution},
                       {"alpha", o.alpha},
                       {"penalty", o.penalty},
                       {"max-influences", o.max_influences},
                       {"device", device_name(o.device)},
                       {"views", views_text(o.views)},
                       {"winding", o.winding},
                       {"leaf", leaf_name(o.leaf)},
                       {"volume", command.volume == Volume::all ? "all" : "per-mesh"}};
  if (o.max_influences == 0) json["max-influences"] = "all";
  return json;
}

ordered_json findings_json(const Findings& findings) {
  ordered_json list = ordered_json::array();
  for (const Finding& f : findings)
    list.push_back({{"code", f.code},
                    {"severity", severity_name(f.severity)},
                    {"message", f.message},
                    {"pointer", f.pointer}});
  return list;
}

ordered_json outcome_json(const BindOutcome& outcome) {
  ordered_json meshes = ordered_json::array(), joints = ordered_json::array(),
               stages = ordered_json::array();
  for (const BoundMesh& mesh : outcome.meshes)
    meshes.push_back({{"name", mesh.name},
                      {"vertices", mesh.vertices},
                      {"triangles", mesh.triangles},
                      {"bound", mesh.bound}});
  for (std::size_t j = 0; j < outcome.joints.size(); ++j) {
    ordered_json joint = {{"name", outcome.joints[j]}};
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
  return {{"device", s.device},
          {"meshes", meshes},
          {"joints", joints},
          {"voxels",
           {{"interior", s.interior_voxels},
            {"boundary", s.boundary_voxels},
            {"single_votes", s.single_votes},
            {"single_votes_interior", s.winding_interior},
            {"sparse", s.sparse_voxels}}},
          {"unreached_vertices", s.unreached_vertices},
          {"stages", stages},
          {"peak_bytes", peak},
          {"findings", findings_json(outcome.findings)}};
}

}  // namespace

const char* severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

ordered_json report_json(const BindCommand& command, const std::vector<AssetResult>& results,
                         int exit_code) {
  ordered_json assets = ordered_json::array();
  std::size_t failed = 0;
  for (const AssetResult& result : results) {
    ordered_json asset = {{"input", result.request.input.string()},
                          {"output", result.request.output.string()},
                          {"status", result.outcome ? "done" : "failed"},
                          {"seconds", result.seconds}};
    if (!result.request.skeleton.empty()) asset["skeleton"] = result.request.skeleton.string();
    if (result.outcome) {
      asset.update(outcome_json(*result.outcome));
    } else {
      ++failed;
      asset["error"] = {{"exit_code", static_cast<int>(result.error_kind)},
                        {"message", result.error}};
    }
    assets.push_back(std::move(asset));
  }
  return {{"schema", "gvbind/report/1"},
          {"tool", {{"name", "gvbind"}, {"version", GVBIND_VERSION}}},
          {"options", options_json(command)},
          {"dry_run", command.dry_run},
          {"assets", assets},
          {"done", results.size() - failed},
          {"failed", failed},
          {"exit_code", exit_code}};
}

void write_report(const ordered_json& report, const std::string& target) {
  const std::string text =
      report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (target == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    return;
  }
  const std::vector<EncodedFile> files = {{"", {text.begin(), text.end()}}};
  StagedFiles staged(files, target, WriteOptions{true, false});
  staged.commit();
}

}  // namespace gvbind
