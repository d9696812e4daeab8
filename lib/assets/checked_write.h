#pragma once

// Tested by tests/app/transfer_test.py.

#include <filesystem>

#include "assets/atomic_write.h"
#include "assets/document.h"
#include "assets/read_options.h"
#include "assets/scene.h"

namespace gvbind {

/// What a document with a new skin is to hold once it is read again.
struct ExpectedSkin {
  const Scene& scene;           ///< as it was patched
  const SceneWeights& weights;  ///< that it was patched with
  const Selection& selection;   ///< that finds its joints
};

/// Writes a patched document under a temporary name, reads that back, compares it and only then
/// gives it its name. `reading`: the options that the input was read with. Throws Error, and leaves
/// nothing under the output's name then.
void write_checked(const Document& document, const ExpectedSkin& expected,
                   const std::filesystem::path& output, ReadOptions reading,
                   const WriteOptions& writing);

}  // namespace gvbind
