#pragma once

// Tested by tests/command/rig_vrm_test.py.

#include <filesystem>

#include "formats/document.h"

namespace gvbind {

/// Throws Error(usage) where `output` ends in .vrm, but neither the document is a VRM nor `input`
/// ends so: readers of VRM would refuse that glTF.
void refuse_false_vrm(const Document& document, const std::filesystem::path& input,
                      const std::filesystem::path& output);

}  // namespace gvbind
