#pragma once

// Tested by tests/command/sidecar_test.py.

#include <filesystem>

#include "io/atomic_write.h"

namespace gvbind {

/// Options for a document that may replace `output`. Of the files beside a glTF, only those are
/// replaced that the document at `output` refers to, and no other glTF of the folder does.
WriteOptions overwriting(const std::filesystem::path& output, bool overwrite);

}  // namespace gvbind
