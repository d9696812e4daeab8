#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assets/bind_scene.h"
#include "assets/scene.h"
#include "gvbind/bind.h"

namespace gvbind {

/// One file from its input to its output.
struct BindRequest {
  std::filesystem::path input;
  std::filesystem::path output;
  std::filesystem::path skeleton;  ///< empty: the input's own joints
  Selection selection;
  BindOptions options;
  Volume volume = Volume::all;
  bool overwrite = false;       ///< an output that is there already, the input itself too
  bool create_folders = false;  ///< of the output
  bool dry_run = false;         ///< stop before binding
};

struct BoundMesh {
  std::string name;
  std::size_t vertices = 0, triangles = 0;
  bool bound = false;
};

struct BindOutcome {
  std::vector<BoundMesh> meshes;
  std::vector<std::string> joints;          ///< those that may own weight
  std::vector<std::size_t> joint_vertices;  ///< vertices of each of them
  BindStatistics statistics;  ///< its stages also hold "read", "patch", "write" and "verify"
  Findings findings;
};

/// Reads, binds, patches, writes under a temporary name, reads back, compares, and gives the output
/// its name. Throws Error; nothing is left under the output's name then.
BindOutcome bind_file(const BindRequest& request, const Progress& progress);

}  // namespace gvbind
