#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gvbind {

/// `gvbind schema`.
struct SchemaCommand {
  std::string name;
};

CLI::App* add_schema(CLI::App& app, SchemaCommand& command);

/// Prints the schema of that name.
int run_schema(const SchemaCommand& command);

}  // namespace gvbind
