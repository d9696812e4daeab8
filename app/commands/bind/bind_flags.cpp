// Tested by tests/command/cli_test.py.

#include <memory>
#include <string>

#include "cli/file_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/bind/bind_command.h"

namespace gvbind {

void add_running(CLI::App& app, BindCommand& command, const TakeOption& take) {
  add_jobs(app, command.jobs);
  add_run_option(app, "max-memory", [&command](const std::string& text) {
    command.max_memory = parse_size("--max-memory", text);
  });
  add_run_option(app, "report", command.report);
  add_run_option(app, "json", command.json);
  add_progress(app, command.progress);
  add_bind_option(app, "asset-root", take);
  add_bind_option(app, "fail-on", take);
  add_run_option(app, "dry-run", command.dry_run);
  add_bind_option(app, "force", take);
  add_verbosity(app, command.quiet, command.verbose);
}

CLI::App* add_bind_flags(CLI::App& app, const std::shared_ptr<BindCommand>& command,
                         const std::shared_ptr<GivenFlags>& given) {
  CLI::App* bind =
      app.add_subcommand("bind", "Compute skin weights and write the file with its skin");
  bind->footer(
      "Examples:\n"
      "  gvbind bind hero.fbx -o hero_skinned.fbx\n"
      "  gvbind bind statue.obj -s rig.bvh -o statue.glb\n"
      "  gvbind bind a.glb b.glb -o out/ --report out/report.json\n"
      "  gvbind bind - -o - --format glb < in.glb > out.glb");
  bind->add_option("INPUT", command->inputs,
                   "Characters (.fbx, .glb, .gltf, .vrm), meshes of any format that Assimp reads, "
                   "or globs; - is stdin: glTF or FBX in one file")
      ->required()
      ->take_all();
  add_run_option(*bind, "output", command->output)->required();
  add_run_option(*bind, "format", command->format);
  add_run_option(*bind, "save-distances", command->keep_distances);
  add_run_option(*bind, "load-distances", command->field);
  add_run_option(*bind, "cells", command->cells);
  add_run_option(*bind, "certificate", command->certificate);
  add_view_option(*bind, command->view)->group(file_group);
  const TakeOption take = collect_in(given);
  add_bind_options(*bind, OptionGroup::skeleton, take);
  add_bind_options(*bind, OptionGroup::method, take);
  add_bind_options(*bind, OptionGroup::selection, take);
  add_running(*bind, *command, take);
  add_log(*bind, command->log);
  return bind;
}

}  // namespace gvbind
