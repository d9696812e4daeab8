#pragma once

// Tested by tests/command/sidecar_test.py.

#include <string>
#include <vector>

#include "formats/document.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// A finding "missing-picture" for each named picture beside the document that is missing or
/// outside the root of `options`. None for documents other than glTF and FBX.
Findings missing_pictures(const Document& document, const ReadOptions& options);

enum class PictureUse {
  content,   ///< the output holds or names the pictures that are found
  presence,  ///< only a finding depends on them
};

/// The files that pictures of an FBX depend on, from its directory: the places in which each is
/// looked for under the root of `options`, up to the one in which it is. With PictureUse::presence,
/// of pictures that are missing alone. Empty for other documents.
std::vector<std::string> picture_sidecars(const Document& document, const ReadOptions& options,
                                          PictureUse use);

}  // namespace gvbind
