#include "commands/transfer/transfer_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bind/asset_limits.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "common/console.h"
#include "gvbind/base/utf8.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

void print_unmatched(const transfer::TransferFiles& files, const transfer::Garment& garment,
                     const transfer::JointMatch& match) {
  const std::size_t count = match.unmatched.size();
  if (count == 0) return;
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i)
    names += (i ? ", " : "") + match.unmatched[i];
  print_finding(Severity::warning, garment.file.path + ": has no namesakes of " +
                                       counted(count, "joint", "joints") + " of " +
                                       files.body.path + " (" + names + (count > 3 ? ", ..." : "") +
                                       "); their weights go to the nearest joints above");
}

void print_outcome(const transfer::TransferredFile& written) {
  for (const transfer::TransferredMesh& mesh : written.meshes)
    print_line(stdout, written.output + ": " + mesh.name + ": " +
                           counted(mesh.copied, "vertex", "vertices") + " from the body, " +
                           grouped(mesh.inpainted) +
                           (mesh.by_bind ? " from a bind" : " inpainted"));
  for (const Finding& finding : written.findings)
    print_finding(finding.severity,
                  written.output + ": " + finding.message + " [" + finding.code + "]");
}

/// Returns the exit code of the process.
int run_transfer(const TransferCommand& command) {
  start_command(command);
  check_transfer_page(command);
  const transfer::TransferRequest request = transfer_request(command);
  transfer::TransferFiles files = transfer::read_transfer(request);
  bool failed = false;
  for (transfer::Garment& garment : files.garments) {
    const transfer::JointMatch match = transfer::match_garment(files.body, garment);
    print_unmatched(files, garment, match);
    const transfer::TransferredFile written =
        transfer::write_garment(request, files, match, garment);
    print_outcome(written);
    failed = failed || any_fails(written.findings, command.fail_on);
  }
  write_page_of(command.output, command.limits, command.view, Announce::yes);
  return failed ? 1 : 0;
}

void add_transfer_options(CLI::App& app, TransferCommand& command) {
  app.add_option("--body", command.options.body_meshes,
                 "Take weights from these meshes of BODY only; may be repeated")
      ->type_name("GLOB");
  transfer::TransferOptions& options = command.options.weights;
  add_number(app, "--max-distance,--distance", options.distance, 0, 10,
             "Largest distance from the body at which a vertex takes its weights, of the diagonal "
             "of the garment's box",
             "F");
  add_number(app, "--angle", options.angle, 0, 180,
             "Largest angle between its normal and the body's, in degrees", "DEG");
  add_number(app, "--spread,--hold", options.spread, 0.001, 1000,
             "Distance over which inherited and inpainted weights balance, of that diagonal", "F");
  add_choice<bool>(
      app, "--fill", options.fill_by_bind, {{"bind", true}, {"body", false}},
      "Where weights start away from the body: a bind of garment and body, if it comes "
      "near the body's weights, or the body's nearest point");
  add_fail_on(app, command.fail_on);
  add_text(app, "-n,--max-influences", "Joints per vertex, at most [4]", "N|all",
           [&command](const std::string& t) {
             command.options.weights.max_influences = parse_max_influences(t);
           });
}

}  // namespace

void check_transfer_page(const TransferCommand& command) {
  if (command.view.empty()) return;
  if (command.garments.size() != 1 || command.output.ends_with('/') ||
      std::filesystem::is_directory(command.output))
    throw Error(ErrorKind::usage, "--view: shows one output that is a file");
  check_page("--view", command.view, command.force);
}

transfer::TransferRequest transfer_request(const TransferCommand& command) {
  transfer::TransferRequest request{command.body, command.garments, command.output,
                                    command.options};
  request.options.reading = asset_options(command.limits);
  if (command.force) request.options.overwrite = Asset::Overwrite::yes;
  return request;
}

Json transfer_report(const TransferCommand& command,
                     const std::vector<transfer::TransferredFile>& written) {
  Json files = Json::array();
  bool failed = false;
  for (const transfer::TransferredFile& file : written) {
    Json meshes = Json::array();
    for (const transfer::TransferredMesh& mesh : file.meshes)
      meshes.push_back({{"name", mesh.name},
                        {"copied", mesh.copied},
                        {"inpainted", mesh.inpainted},
                        {"near", mesh.near},
                        {"by_bind", mesh.by_bind}});
    failed = failed || any_fails(file.findings, command.fail_on);
    Json findings = Json::array();
    for (const Finding& finding : file.findings)
      findings.push_back({{"code", finding.code}, {"message", finding.message}});
    files.push_back({{"garment", file.garment},
                     {"output", file.output},
                     {"meshes", meshes},
                     {"unmatched_joints", file.unmatched_joints},
                     {"findings", findings}});
  }
  return {{"files", files}, {"exit_code", failed ? 1 : 0}};
}

CLI::App* add_transfer_flags(CLI::App& app, const std::shared_ptr<TransferCommand>& command) {
  CLI::App* transfer =
      app.add_subcommand("transfer", "Give garments the weights of the body that wears them");
  transfer->footer(
      "Examples:\n"
      "  gvbind transfer body.glb -t coat.glb -o coat_skinned.glb\n"
      "  gvbind transfer hero.fbx -t 'Coat*' -o hero_dressed.fbx\n"
      "  gvbind transfer body.glb -t coat.glb -t boots.glb -o out/");
  transfer->add_option("BODY", command->body, "A file with a skin")->required();
  transfer
      ->add_option("-t,--to", command->garments,
                   "A garment: a file, or a mesh of BODY by its name or a glob; may be repeated")
      ->required()
      ->type_name("FILE|GLOB");
  add_output(*transfer, command->output,
             "The garment's file with weights; a folder (DIR/) where there are several");
  add_view_option(*transfer, command->view);
  add_transfer_options(*transfer, *command);
  add_run_options(*transfer, *command);
  add_quiet(*transfer, *command);
  add_force(*transfer, *command, "Overwrite the outputs");
  return transfer;
}

Subcommand add_transfer(CLI::App& app) {
  const auto command = std::make_shared<TransferCommand>();
  CLI::App* transfer = add_transfer_flags(app, command);
  return {transfer, [command] { return run_transfer(*command); }};
}

}  // namespace gvbind
