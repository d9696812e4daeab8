#pragma once

// Tested by tests/command/cli_test.py.

#include <CLI/CLI.hpp>
#include <functional>

namespace gvbind {

/// Parses the command line and runs the subcommand; returns the exit code. Usage errors throw
/// Error(usage) or print the message of CLI11, and give 2.
int run_command_line(int argc, char** argv);

/// Parses alone. Throws Error(usage) with the option that was most likely meant; --help and
/// --version throw CLI::Success.
void parse_words(CLI::App& app, int argc, const char* const* argv);

/// A subcommand on the command line, and what runs it once it was parsed; returns the exit code.
struct Subcommand {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

// Each is defined in the directory of its subcommand; command_line.cpp lists them in the order of
// the help.
Subcommand add_bind(CLI::App& app);
Subcommand add_batch(CLI::App& app);
Subcommand add_tune(CLI::App& app);
Subcommand add_refine(CLI::App& app);
Subcommand add_transfer(CLI::App& app);
Subcommand add_rig(CLI::App& app);
Subcommand add_retarget(CLI::App& app);
Subcommand add_convert(CLI::App& app);
Subcommand add_weights(CLI::App& app);
Subcommand add_inspect(CLI::App& app);
Subcommand add_preview(CLI::App& app);
Subcommand add_view(CLI::App& app);
Subcommand add_pose(CLI::App& app);
Subcommand add_bake(CLI::App& app);
Subcommand add_voxels(CLI::App& app);
Subcommand add_check(CLI::App& app);
Subcommand add_fit(CLI::App& app);
Subcommand add_score(CLI::App& app);
Subcommand add_report(CLI::App& app);
Subcommand add_schema(CLI::App& app);
Subcommand add_explain(CLI::App& app);
Subcommand add_doctor(CLI::App& app);
Subcommand add_completion(CLI::App& app);
Subcommand add_manual(CLI::App& app);

}  // namespace gvbind
