#pragma once

// Tested by tests/command/convert_test.py.

#include <string>

#include "formats/convert/convert.h"
#include "io/read_limits.h"

namespace gvbind {

/// Throws Error(usage), which names `formats`, for a format that gvbind does not write, and
/// Error(output) for a file that exists and must not be overwritten.
void check_new_output(const std::string& output, bool overwrite,
                      const std::string& formats = ".fbx, .glb, .gltf or .vrm");

/// Writes a document made of `input` under a temporary name, reads it back and compares it with the
/// scene in `made`. Only then does it get the name `output`. Throws Error as encode and read_back
/// do.
void write_document(const Conversion& made, const std::string& input, const std::string& output,
                    const ReadLimits& limits, bool overwrite);

}  // namespace gvbind
