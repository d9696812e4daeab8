#include "cli/subcommands.h"
#include "commands.h"

namespace gvbind {

Subcommand add_doctor(CLI::App& app) {
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check devices, threads and memory, and whether a bind works here");
  return {doctor, [] { return run_doctor(); }};
}

}  // namespace gvbind
