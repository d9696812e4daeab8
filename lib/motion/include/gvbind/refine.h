#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gvbind/asset.h"
#include "gvbind/error.h"

namespace gvbind::motion {

/// Quality of a skin's deformation, over several poses.
struct PoseFigures {
  double mush = 0.0;     ///< RMS distance to Delta Mush, area-weighted, relative to the size
  double volume = 0.0;   ///< mean of |posed - rest volume| / rest volume, with holes capped
  double stretch = 1.0;  ///< 99th percentile of the ratios of posed to rest edge lengths
  double largest = 1.0;  ///< the largest ratio
  double pierced = 0.0;  ///< fraction of layers whose outer vertex is below the inner one
};

/// How far joints rotate relative to their parents, about the axes of bind space.
struct RangeOfJoints {
  std::string joints;         ///< a name or a glob
  Eigen::Vector3d low, high;  ///< degrees about x, y and z, -180 to 180
};

struct RefineFileOptions {
  int poses = 24;           ///< number of random poses to fit, 1 to 1000
  int rounds = 4;           ///< number of target/fit iterations, 1 to 100
  int max_influences = 4;   ///< joints per vertex, 1 to 8
  double stiffness = 0.05;  ///< how strongly weights stay as they are, 0 to 1000
  /// How far the target smooths posed skin, relative to the size of the character, 0.0001 to 0.5.
  double reach = 0.01;
  double degrees = 45.0;  ///< rotation of joints that neither a clip nor `ranges` bounds, 0 to 180
  std::uint64_t seed = 1;
  /// In place of the ranges of the file's clips; of several that match a joint the last counts.
  std::vector<RangeOfJoints> ranges = {};
  bool by_cells = false;  ///< fits a field of cells instead of the weights of each vertex
  std::filesystem::path cells = {};  ///< with by_cells: file that keeps them; empty: none
  AssetOptions reading = {};
  Asset::Overwrite overwrite = Asset::Overwrite::no;
};

/// Result of refine_file().
struct RefinedFile {
  double taken = 0.0;         ///< fraction of the fit that was taken, 0 to 1; 0: weights stay
  std::size_t moved = 0;      ///< number of vertices whose weights change
  PoseFigures before, after;  ///< in poses that the fit has not seen
  PoseFigures fitted;         ///< of the complete fit
};

/// Fits the weights of a glTF or FBX with a skin to how it moves in random poses, as `gvbind
/// refine` does, and writes the file in the same format. It is read back and compared before it
/// gets its name. Throws Error: usage (another format, a range that matches no joint), input,
/// cannot_bind (no skin), resource, output.
RefinedFile refine_file(const std::filesystem::path& input, const std::filesystem::path& output,
                        const RefineFileOptions& options = {});

}  // namespace gvbind::motion
