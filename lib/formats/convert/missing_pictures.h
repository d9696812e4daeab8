#pragma once

// Tested by tests/command/sidecar_test.py.

#include "formats/document.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// A finding "missing-picture" for each named picture beside the document that is missing or
/// outside the root of `options`. None for documents other than glTF and FBX.
Findings missing_pictures(const Document& document, const ReadOptions& options);

}  // namespace gvbind
