#pragma once

// Tested by tests/package/npm_browser_test.py.

#include <string>

#include "view/view_data.h"

namespace gvbind {

/// The file of a page, as it is, and the WebAssembly of the package for npm in `package`. Throws
/// Error: usage for a file that is not whole by itself (.gltf) or not of ours; cannot_bind for one
/// without a skin; input for a folder that holds no package, or one of another version.
ViewBinder read_binder(const std::string& package, const ViewInput& input);

}  // namespace gvbind
