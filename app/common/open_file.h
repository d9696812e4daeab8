#pragma once

// Tested by tests/command/view_test.py.

#include <string>

namespace gvbind {

/// Opens a file with the program that the desktop has for it (xdg-open), without waiting. Throws
/// Error(resource) if there is none.
void open_file(const std::string& path);

}  // namespace gvbind
