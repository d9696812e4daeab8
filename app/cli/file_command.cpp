#include "cli/file_command.h"

#include "cli/option_values.h"
#include "cli/options.h"
#include "common/console.h"

namespace gvbind {

void add_run_options(CLI::App& app, FileCommand& command) {
  add_bind_option(
      app, "asset-root",
      [&limits = command.limits](const BindOption& option, const std::vector<std::string>& values) {
        BindSettings settings;
        option.apply(settings, values);
        limits.asset_root = settings.asset_root;
      });
  add_max_memory(app, command.limits);
  add_jobs(app, command.jobs);
}

void add_max_memory(CLI::App& app, ReadLimits& limits) {
  add_text(
      app, "--max-memory", "Refuse a file that takes more memory [four fifths of the machine's]",
      "SIZE",
      [&limits](const std::string& text) { limits.max_memory = parse_size("--max-memory", text); })
      ->group(run_group);
}

void add_quiet(CLI::App& app, FileCommand& command) {
  add_run_option(app, "quiet", command.only_errors);
}

CLI::Option* add_force(CLI::App& app, FileCommand& command, const std::string& help) {
  return app.add_flag("--force", command.force, help);
}

CLI::Option* add_output(CLI::App& app, std::string& output, const std::string& help) {
  return app.add_option("-o,--output", output, help)->required()->type_name("OUT");
}

CLI::Option* add_view_option(CLI::App& app, std::string& page) {
  return app
      .add_option("--view", page,
                  "Also write a page that shows the output in a browser, as 'gvbind view' does")
      ->type_name("HTML");
}

void start_command(const FileCommand& command) {
  set_up_threads(command.jobs);
  limit_memory(memory_limit(command.limits.max_memory));
  if (command.only_errors) print_only_errors();
}

}  // namespace gvbind
