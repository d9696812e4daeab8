#pragma once

// Tested by tests/command/cli_test.py.

#include <string>

#include "report/report_json.h"

namespace gvbind {

/// Writes a file completely or not at all; a link of its name is replaced, so that nothing is
/// written elsewhere. Throws Error(output).
void write_text_file(const std::string& text, const std::string& path,
                     bool create_directories = false);

/// As write_text_file(), or to stdout for "-".
void write_text(const std::string& text, const std::string& target,
                bool create_directories = false);
void write_json(const Json& json, const std::string& target);

}  // namespace gvbind
