#include "report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "assets/write.h"
#include "batch/content_hash.h"
#include "console.h"
#include "exit_codes.h"
#include "gvbind/base/utf8.h"
#include "repeat_command.h"

namespace gvbind {

namespace {

bool shapes_weights(const BindOption& option) { return option.group == OptionGroup::method; }

Report value_json(const BindOption& option, const BindSettings& settings) {
  const std::string text = joined_values(option.values(settings));
  return is_number_value(option, text) ? Report::parse(text) : Report(text);
}

Report run_options(const BindSettings& settings) {
  Report json = Report::object();
  for (const BindOption& option : bind_options())
    if (shapes_weights(option) || option.name == "fail-on")
      json[option.name] = value_json(option, settings);
  return json;
}

Report asset_options(const BindSettings& settings) {
  Report texts = Report::object();
  for (const BindOption& option : bind_options())
    if (shapes_weights(option)) texts[option.name] = joined_values(option.values(settings));
  return texts;
}

}  // namespace

namespace {

Report figures_json(const SkinFigures& figures) {
  return {{"vertices_without_weight", figures.without_weight},
          {"bleed", figures.bleed},
          {"stretch", figures.stretch},
          {"far_surface", figures.far_surface},
          {"far_joint", figures.far_joint}};
}

const char* verdict_name(SkinVerdict verdict) {
  return verdict == SkinVerdict::worse    ? "worse"
         : verdict == SkinVerdict::better ? "better"
                                          : "equal";
}

Report skin_json(const BindJudgement& judgement) {
  Report json = figures_json(judgement.figures);
  if (!judgement.comparison) return json;
  const SkinComparison& comparison = *judgement.comparison;
  json["comparison"] = {{"before", figures_json(comparison.before)},
                        {"now", figures_json(comparison.now)},
                        {"vertices", comparison.vertices},
                        {"changed", comparison.changed},
                        {"mean_l1", comparison.mean_l1},
                        {"verdict", verdict_name(comparison.verdict)},
                        {"worse_in", comparison.worse_in}};
  return json;
}

}  // namespace

void put_outcome(Report& asset, const BindOutcome& outcome) {
  Report meshes = Report::array(), joints = Report::array(), stages = Report::array();
  for (const BoundMesh& mesh : outcome.meshes)
    meshes.push_back({{"name", mesh.name},
                      {"vertices", mesh.vertices},
                      {"triangles", mesh.triangles},
                      {"bound", mesh.bound},
                      {"existing", name_of(mesh.existing)}});
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
  put_member(asset, "resolution", outcome.resolution);
  put_member(asset, "meshes", std::move(meshes));
  put_member(asset, "joints", std::move(joints));
  put_member(asset, "voxels",
             {{"interior", s.interior_voxels},
              {"boundary", s.boundary_voxels},
              {"single_votes", s.ambiguous_voxels},
              {"single_votes_interior", s.ambiguous_interior},
              {"sparse", s.sparse_voxels}});
  put_member(asset, "unreached_vertices", s.unreached_vertices);
  put_member(asset, "existing", existing_weights(outcome));
  if (outcome.filled_vertices > 0) put_member(asset, "filled_vertices", outcome.filled_vertices);
  if (outcome.judgement) put_member(asset, "skin", skin_json(*outcome.judgement));
  put_member(asset, "stages", std::move(stages));
  put_member(asset, "peak_bytes", peak);
  asset["findings"] = findings_json(outcome.findings);
}

std::string asset_name(const AssetResult& result) {
  return result.request.input.filename().string();
}

Report asset_json(const AssetResult& result, const BindSettings& settings) {
  const BindRequest& request = result.request;
  Report asset = new_asset(asset_name(result), request.input.string(), request.output.string(),
                           result.outcome ? "done" : "failed");
  asset["seconds"] = result.seconds;
  if (!settings.skeleton.empty()) asset["skeleton"] = settings.skeleton;
  asset["options"] = asset_options(settings);
  asset["command"] = repeat_command(request.input, request.output, settings);
  if (result.outcome)
    put_outcome(asset, *result.outcome);
  else
    asset["error"] = {{"exit_code", exit_code(result.error_kind)}, {"message", result.error}};
  return asset;
}

FailOn fail_on_of(const BindSettings& settings) {
  if (settings.fail_never) return {};
  FailOn fail_on = settings.fail_on;
  fail_on.worse = settings.fail_on_worse;
  return fail_on;
}

Report report_json(const BindCommand& command, const std::vector<AssetResult>& results,
                   double seconds, int exit_code) {
  Report report = new_report({run_options(command), command.output, command.dry_run, {}});
  for (const AssetResult& result : results) report["assets"].push_back(asset_json(result, command));
  finish_report(report, seconds, fail_on_of(command));
  report["exit_code"] = exit_code;
  return report;
}

void write_text_file(const std::string& text, const std::string& path, bool create_folders) {
  WriteOptions options{.overwrite = true, .create_folders = create_folders};
  // The same each time, so that the next one removes what is left of one that was killed.
  options.staging_name = hash_of(std::filesystem::path(path).filename().string()).substr(0, 16);
  write_files({{"", {text.begin(), text.end()}}}, path, options);
}

void write_text(const std::string& text, const std::string& target, bool create_folders) {
  if (target != "-") return write_text_file(text, target, create_folders);
  print_verbatim(stdout, text);  // main looks whether all of it arrived
}

void write_report(const Report& report, const std::string& target) {
  const std::string text = report_text(report);
  write_text(target == "-" ? printable_json(text) : text, target);
}

}  // namespace gvbind
