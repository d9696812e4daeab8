#include <memory>

#include "bind/bind_command.h"
#include "cli/subcommands.h"

namespace gvbind {

Subcommand add_doctor(CLI::App& app) {
  const auto command = std::make_shared<DoctorCommand>();
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check devices, threads and memory, and whether a bind works here");
  doctor->add_flag("--json", command->json, "As JSON");
  return {doctor, [command] { return run_doctor(*command); }};
}

}  // namespace gvbind
