#pragma once

// Tested by tests/command/weights_test.py.

#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// Weights of a file by the names of its meshes and joints, as other programs exchange them.
struct WeightTable {
  struct Mesh {
    std::string name;
    /// By vertex in the order of SceneMesh; joint: index into `joints`. A row may be empty.
    SkinWeights rows;
    /// Whether `rows` ends where the mesh does. A list of single weights does not say.
    bool all_rows = true;
  };
  std::vector<std::string> joints;  ///< that may own weight, or do
  std::vector<Mesh> meshes;
};

/// Each name once: the second "Arm" is "Arm#2", the third "Arm#3".
std::vector<std::string> unique_names(const std::vector<std::string>& names);
std::vector<std::string> mesh_names(const Scene& scene);
std::vector<std::string> joint_names(const Scene& scene);

/// The weights of the meshes that are chosen; its joints are those that may own weight. A mesh
/// without a skin has empty rows.
WeightTable table_of(const Scene& scene, const std::vector<bool>& chosen);

/// From now on the table's joints may own weight, and no others.
void take_deforming(const WeightTable& table, Scene& scene);

/// What of a table is to be written. Rows that the scene has already are left out, and a mesh with
/// no other rows is left as it is, bit for bit; so are vertices with an empty row. Rows come
/// sorted, and are scaled to sum to one where they are off by more than 1e-6. `warnings`: of each
/// mesh, how many are off by more than 1e-4, and how many vertices stay without weights. Throws
/// Error(input) that names the mesh and the row: a mesh or joint that the scene does not have,
/// another number of vertices, a row without weight where the mesh has no skin.
SceneWeights weights_of(const Scene& scene, const WeightTable& table,
                        std::vector<std::string>& warnings);

}  // namespace gvbind
