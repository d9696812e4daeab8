#pragma once

// Tested by tests/command/pose_test.py.

#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// The range of factors in a file.
struct FactorRange {
  int min = 0;
  int max = 1;
  double unnamed = 0.0;  ///< of joints that no line matches
};

/// By joint and by mesh of a scene. A mesh that no line matches has 1.
struct SceneFactors {
  std::vector<double> joints;
  std::vector<double> meshes;
};

/// A TOML file with lines JOINT = FACTOR, and a table [meshes] with lines MESH = FACTOR; names may
/// be globs, and the last line that matches counts. `scene_path`: for messages. Throws Error(usage)
/// that names the file and the line.
SceneFactors read_factors(const std::string& path, const Scene& scene,
                          const std::string& scene_path, const FactorRange& range);

}  // namespace gvbind
