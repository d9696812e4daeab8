#pragma once

// Tested by tests/unit/bind/checked_write_test.cpp.

#include <filesystem>
#include <functional>

#include "character/scene.h"
#include "formats/document.h"
#include "io/atomic_write.h"
#include "io/read_options.h"

namespace gvbind {

/// The paths that messages about a file that is read back name.
struct ReadBack {
  std::filesystem::path input, output;
  ReadOptions reading;  ///< the options that the input was read with
};

/// Reads a staged document again and hands it to `compare`. What cannot be read, and what `compare`
/// throws, is Error(output) that names the output; what takes too much memory is Error(resource)
/// that names the input.
void read_back(const StagedFiles& staged, const ReadBack& from,
               const std::function<void(const Document& written)>& compare);

/// What a document with a new skin is to hold once it is read again.
struct ExpectedSkin {
  const Scene& scene;           ///< as it was patched
  const SceneWeights& weights;  ///< that it was patched with
  const Selection& selection;   ///< that finds its joints
};

/// Writes a patched document under a temporary name, reads that back, compares it and only then
/// gives it its name, and `beside` its own: both or neither. Throws Error, and leaves nothing under
/// the output's name then.
void write_checked(const Document& document, const ExpectedSkin& expected, const ReadBack& from,
                   const WriteOptions& writing, StagedFiles* beside = nullptr);

}  // namespace gvbind
