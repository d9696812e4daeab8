#pragma once

// Tested by tests/command/rules_test.py.

#include <string>

namespace gvbind {

// JSON Schemas, made from the table of options, so that editors complete keys and values.

std::string manifest_schema();  ///< of a batch's manifest
std::string rules_schema();     ///< of a file of --rules

}  // namespace gvbind
