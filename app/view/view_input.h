#pragma once

// Tested by tests/command/view_test.py.

#include <cstdint>
#include <string>
#include <vector>

#include "formats/document.h"
#include "gvbind/finding.h"
#include "io/read_limits.h"

namespace gvbind {

/// A file as its page shows it: shapes, materials, nodes and clips are in one binary glTF.
struct ViewInput {
  std::string path;
  std::vector<std::uint8_t> glb;  ///< without skins
  Document document;              ///< the same glTF with skins
  Scene scene;                    ///< of `document`, with the front of the file
  Findings findings;              ///< pictures that are missing
};

/// Reads any format that gvbind reads. Cameras, lights, tangents, properties, and pictures other
/// than base colors are left out. Throws Error: as read_document; cannot_bind for a file without a
/// mesh; resource if it would take too much memory.
ViewInput read_view(const std::string& path, const ReadLimits& limits);

}  // namespace gvbind
