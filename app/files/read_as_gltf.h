#pragma once

// Tested by tests/command/pose_test.py.

#include <string>

#include "formats/convert/convert.h"
#include "formats/document.h"

namespace gvbind {

/// A document; an FBX as the glTF that `convert` makes of it. What is neither stays what it is.
/// Throws Error as read_document and convert_document do.
Document read_as_gltf(const std::string& path, const ReadOptions& options, DroppedFeatures& losses,
                      Findings& findings);

}  // namespace gvbind
