// Tested by tests/command/cli_test.py.

#include <memory>
#include <string>

#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/bind/bind_command.h"

namespace gvbind {

void add_running(CLI::App& app, BindCommand& command, const TakeOption& take) {
  add_jobs(app, command.jobs, "");
  // No key of a manifest: a batch has a flag of this name, for all of its assets together.
  add_text(app, "--max-memory",
           "Refuse inputs that take more memory, or would by their size and the resolution "
           "[four fifths of the machine's]",
           "SIZE",
           [&command](const std::string& t) { command.max_memory = parse_size("--max-memory", t); })
      ->group(run_group);
  app.add_option("--report", command.report, "Write a JSON report there; - is stdout")
      ->type_name("FILE|-")
      ->group(report_group);
  app.add_flag("--json", command.json, "The report on stdout instead of lines")
      ->group(report_group);
  add_progress(app, command.progress);
  add_bind_option(app, "asset-root", take);
  add_bind_option(app, "fail-on", take);
  app.add_flag("--dry-run", command.dry_run, "Say what would be bound, and stop")
      ->group(look_group);
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
  bind->add_option("-o,--output", command->output,
                   "The output file; a folder (DIR/) where there are several inputs; - is stdout")
      ->required()
      ->type_name("OUT")
      ->group(file_group);
  bind->add_option("--format", command->format, "Of an output on stdout [the input's]")
      ->type_name("glb|fbx|vrm")
      ->group(file_group);
  bind->add_option("--save-distances,--keep-distances", command->keep_distances,
                   "Save the distances to this file, for 'gvbind tune' and --load-distances")
      ->type_name("FILE")
      ->group(file_group);
  bind->add_option("--load-distances,--field", command->field,
                   "Take weights from the distances of another input, that --save-distances has "
                   "written: LODs, a costume, a damaged variant in the same volume")
      ->type_name("FILE")
      ->group(file_group);
  bind->add_option("--cells", command->cells,
                   "Take weights from the cells of another input, that 'gvbind refine --by cells "
                   "--keep-cells' has kept: LODs, a garment with the same joints")
      ->type_name("FILE")
      ->group(file_group);
  const TakeOption take = collect_in(given);
  add_bind_options(*bind, OptionGroup::skeleton, take);
  add_bind_options(*bind, OptionGroup::method, take);
  add_bind_options(*bind, OptionGroup::selection, take);
  add_running(*bind, *command, take);
  add_log(*bind, command->log);
  return bind;
}

}  // namespace gvbind
