#pragma once

// Tested by tests/command/sidecar_test.py.

#include "formats/document.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// A finding "missing-picture" for each picture beside the document that it names and that is not
/// there, or lies outside the root of `options`. Of another document than glTF or FBX: none.
Findings missing_pictures(const Document& document, const ReadOptions& options);

}  // namespace gvbind
