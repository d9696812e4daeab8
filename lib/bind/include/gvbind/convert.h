#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "gvbind/asset.h"
#include "gvbind/error.h"
#include "gvbind/finding.h"

namespace gvbind {

struct ConvertFileOptions {
  AssetOptions reading = {};
  Asset::Overwrite overwrite = Asset::Overwrite::no;
  bool strict = false;  ///< writes nothing where something would be lost
};

/// A kind of feature that the output does not have.
struct DroppedFeature {
  std::string name;  ///< "layered texture", "constraint"
  std::size_t count = 0;
};

/// Result of convert_file().
struct ConvertedFile {
  std::vector<DroppedFeature> dropped;
  std::string dropped_text;  ///< "2 layered textures, 1 constraint"; empty: nothing is lost
  Findings findings;         ///< of reading, and of damage that is left out
};

/// Writes `input` in the format that the extension of `output` names, as `gvbind convert` does: FBX
/// as .glb or .gltf, glTF as .fbx, formats of Assimp as any of them. The output is read back and
/// compared before it gets its name. Lengths and axes are converted to those of the format.
/// Throws Error: usage (extension, or the format of the input), input, resource, output (exists,
/// not writable, differs when read back, or `strict`).
ConvertedFile convert_file(const std::filesystem::path& input, const std::filesystem::path& output,
                           const ConvertFileOptions& options = {});

}  // namespace gvbind
