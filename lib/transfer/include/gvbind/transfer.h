#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "gvbind/asset.h"
#include "gvbind/error.h"
#include "gvbind/finding.h"

namespace gvbind::transfer {

struct TransferOptions {
  /// Maximum distance of a vertex from the body for copying its weights, as a fraction of the
  /// diagonal of the garment's box; 0 to 10.
  double distance = 0.05;
  double angle = 35.0;  ///< maximum angle between its normal and the body's, degrees, 0 to 180
  /// Distance over which inherited and inpainted weights balance, as a fraction of the same
  /// diagonal; 0.001 to 1000.
  double spread = 0.1;
  int max_influences = 4;  ///< joints per vertex; 0: no limit
  /// Weights away from the body continue from those of a bind of garment and body, if such a bind
  /// comes near the body's own weights; false: from those of the body's nearest point.
  bool fill_by_bind = true;
};

struct TransferFileOptions {
  TransferOptions weights = {};
  /// Names or globs of the meshes of the body's file that are the body. Empty: all that have a skin
  /// and are not garments.
  std::vector<std::string> body_meshes = {};
  AssetOptions reading = {};
  Asset::Overwrite overwrite = Asset::Overwrite::no;
};

struct TransferredMesh {
  std::string name;
  std::size_t copied = 0;     ///< vertices with weights of the body's nearest point
  std::size_t inpainted = 0;  ///< vertices with weights of the garment around them
  std::size_t near = 0;       ///< vertices within TransferOptions::distance of the body
  bool by_bind = false;       ///< the inpainted ones continue from a bind
};

/// A file that transfer_files() wrote.
struct TransferredFile {
  std::string garment, output;
  std::vector<TransferredMesh> meshes;
  /// Joints of the body that the garment does not have; their weights go to the nearest joints
  /// above.
  std::vector<std::string> unmatched_joints;
  /// Of the garment's reader, garment-off-body, and a bind's: bleed, far-joint, stretch.
  Findings findings;
};

/// Gives garments, LODs and variants the weights of a bound body, as `gvbind transfer` does.
/// `garments`: files, or names or globs of meshes of the body's own file. `output`: a file, or a
/// folder, which ends with '/' or exists; several files need a folder. Each output has the format
/// of its garment, and is read back and compared before it gets its name. The files need not have
/// the same units, but the same pose. Throws Error: usage, input, resource, output, cannot_bind (no
/// mesh, no skin, no joint in common); garments before that one are written then.
std::vector<TransferredFile> transfer_files(const std::filesystem::path& body,
                                            const std::vector<std::string>& garments,
                                            const std::string& output,
                                            const TransferFileOptions& options = {});

}  // namespace gvbind::transfer
