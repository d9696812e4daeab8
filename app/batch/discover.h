#pragma once

// Tested by tests/batch/batch_plan_test.cpp.

#include <filesystem>
#include <string>
#include <vector>

#include "batch/manifest.h"

namespace gvbind {

/// A file that may become an asset of the batch.
struct Candidate {
  std::filesystem::path input;
  std::string key;        ///< the input as an absolute path
  std::string shape;      ///< its path below the output directory, with the input's own extension
  std::string rule_path;  ///< what the rules of a manifest match
  bool named = false;     ///< by the user, one by one
  bool is_link = false;
  std::string asset_root;  ///< the directory given, or the manifest's; empty: the file's own
  const ManifestAsset* asset = nullptr;  ///< its own entry in the manifest
};

/// What the command line's directories, files and globs hold. Each input once. `output` is not
/// entered. Throws Error as plan_batch does.
std::vector<Candidate> discover_inputs(const std::vector<std::string>& inputs,
                                       const std::filesystem::path& output);

/// What a manifest's `inputs` hold, and its assets; these point into the manifest.
std::vector<Candidate> discover_manifest(const Manifest& manifest,
                                         const std::filesystem::path& output);

/// The name of the output for an input: a format that is not written leaves as .glb.
std::string output_name(const std::string& shape);

/// The path as an absolute one without "." and "..", by its text alone.
std::string absolute_text(const std::filesystem::path& path);

}  // namespace gvbind
