#pragma once

// Tested by tests/command/sidecar_test.py.

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "formats/gltf/files.h"

namespace gvbind {

// An output is a document and, for glTF, files beside it: buffers and pictures. Outputs of
// different assets may share a directory. So before anything is bound, a plan gives each file a
// name that no file with other content has, not even on a case-insensitive file system.

/// The input of the plan for one asset.
struct OutputAsset {
  std::filesystem::path input, output;
  bool binds = true;  ///< this run binds it; otherwise its output stays unchanged
  /// From a stamp that is up to date: the files that the input refers to and the files of the
  /// output, relative to their directories.
  struct Known {
    std::vector<std::string> named;
    std::set<std::string> written;
  };
  std::optional<Known> known = {};
  std::set<std::string> own = {};  ///< files written for it before, below the output's directory
};

struct OutputPlan {
  std::vector<OutputFile> files;      ///< beside the document, with their final names
  FileNames names;                    ///< names that differ because of other assets
  std::set<std::string> replaceable;  ///< existing files that this output may replace
  bool renames = false;  ///< an asset that was up to date needs new names, so it has to be bound
};

/// One plan per asset. It does not depend on the run or the shard, as long as all assets are given:
/// - Pictures with the same name and bytes are shared. Buffers are not: if two want the same name,
///   both get names of their own, "hero.scene.bin". The same goes for pictures that differ.
/// - No file gets the name of a document of the batch, of a buffer that gvbind writes, of a file
///   that another document in that directory refers to, or of an existing file that belongs to none
///   of our outputs.
/// Reads the documents of inputs (without their buffers) and those in the output directories.
std::vector<OutputPlan> plan_outputs(std::span<const OutputAsset> assets);

}  // namespace gvbind
