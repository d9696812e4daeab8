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
// different assets may lie in one directory, so before anything is bound, a plan gives each file a
// name that no other output's file of other content has, by disks too that take no notice of case.

/// An asset as the plan sees it.
struct OutputAsset {
  std::filesystem::path input, output;
  bool binds = true;  ///< this run binds it; else its output stays as it is
  /// What its stamp says, if that is up to date: the files that the input names, and those of the
  /// output, from their directories.
  struct Known {
    std::vector<std::string> named;
    std::set<std::string> written;
  };
  std::optional<Known> known = {};
  std::set<std::string> own = {};  ///< below the output's directory, written for it before
};

struct OutputPlan {
  std::vector<OutputFile> files;      ///< beside the main one, with the names that they get
  FileNames names;                    ///< those that get another one than without other assets
  std::set<std::string> replaceable;  ///< names of files there that this output takes the place of
  bool renames = false;  ///< of an asset that is not to be bound: it has to be after all
};

/// One plan per asset. The same for a part of the assets (a shard) as for all, as long as all are
/// given, and from run to run:
/// - Pictures with the same name and bytes are shared. Buffers are not: two that would have one
/// name
///   both get names of their own, "hero.scene.bin". So do pictures that differ.
/// - Nothing gets the name of a document of the batch, of a buffer that we make, of a file that
///   another document in that directory names, or of a file there that belongs to no output of
///   ours.
/// Reads the documents of inputs (without their buffers), and those in the directories of outputs.
std::vector<OutputPlan> plan_outputs(std::span<const OutputAsset> assets);

}  // namespace gvbind
