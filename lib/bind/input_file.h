#pragma once

// Tested by tests/command/pose_test.py.

#include <string>

#include "formats/convert/convert.h"
#include "formats/document.h"
#include "io/read_limits.h"

namespace gvbind {

/// A document with its path and its scene.
struct InputFile {
  std::string path;
  Document document;
  Scene scene;
};

/// A file whose weights are to be replaced. Throws Error: as read_document and check_sidecars;
/// cannot_bind if it has no mesh.
InputFile read_to_patch(const std::string& path, const ReadLimits& limits, bool attributes = false);

/// A skinned character to be posed or animated; an FBX is read as its conversion to glTF. Throws
/// Error: as read_document and convert_document; usage for other formats, which cannot be `used`
/// ("posed"); cannot_bind if there is no mesh or no skin.
InputFile read_to_move(const std::string& path, const ReadLimits& limits, const char* used,
                       DroppedFeatures& losses, Findings& findings);

}  // namespace gvbind
