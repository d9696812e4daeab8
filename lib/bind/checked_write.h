#pragma once

// Tested by tests/unit/bind/checked_write_test.cpp.

#include <filesystem>
#include <functional>
#include <span>

#include "character/scene.h"
#include "formats/document.h"
#include "formats/gltf/split_skins.h"
#include "io/atomic_write.h"
#include "io/read_options.h"

namespace gvbind {

/// The paths that messages about a file that is read back name.
struct ReadBack {
  std::filesystem::path input, output;
  ReadOptions reading;  ///< the options that the input was read with
};

/// Reads a staged document again and hands it to `compare`. Errors of reading and of `compare`
/// become Error(output) that names the output; too little memory is Error(resource) that names the
/// input.
void read_back(const StagedFiles& staged, const ReadBack& from,
               const std::function<void(const Document& written)>& compare);

/// Expected content of a document with a new skin.
struct ExpectedSkin {
  const Scene& scene;                      ///< as it was patched
  const SceneWeights& weights;             ///< that it was patched with
  const Selection& selection;              ///< that finds its joints
  std::span<const SplitMesh> splits = {};  ///< meshes that were divided after that
};

/// Reads a staged document again and compares it with `expected`. Throws as read_back().
void verify_staged(const StagedFiles& staged, const ReadBack& from, const ExpectedSkin& expected);

/// Writes a patched document under a temporary name, reads that back, compares it and only then
/// gives it its name, and `beside` its own: both or neither. Throws Error, and leaves nothing under
/// the output's name then.
void write_checked(const Document& document, const ExpectedSkin& expected, const ReadBack& from,
                   const WriteOptions& writing, StagedFiles* beside = nullptr);

}  // namespace gvbind
