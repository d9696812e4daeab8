#pragma once

// Tested by tests/command/view_test.py.

#include <string>

#include "view/view_data.h"

namespace gvbind {

/// The scores in a file of distances, for a page that shows their input with or without its new
/// skin. Reads the input that the file names again. Joints of it that `input.scene` lacks are
/// appended there. Throws Error: as `gvbind tune` does; cannot_bind if `input` has other vertices;
/// usage if the bind used options that the page
/// does not compute (docs/view.md lists them).
ViewTuning view_tuning(const std::string& field, ViewInput& input);

}  // namespace gvbind
