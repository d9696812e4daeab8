#pragma once

// Tested by tests/command/weights_test.py.

#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// Weights by mesh and joint name, as exchanged with other programs.
struct WeightTable {
  struct Mesh {
    std::string name;
    /// Per vertex in the order of SceneMesh; joint: index into `joints`. A row may be empty.
    SkinWeights rows;
    /// Whether `rows` covers all vertices. A list of single weights does not tell how many there
    /// are.
    bool all_rows = true;
  };
  std::vector<std::string> joints;  ///< those that own weight or may own it
  std::vector<Mesh> meshes;
};

/// Makes names unique: the second "Arm" becomes "Arm#2", the third "Arm#3".
std::vector<std::string> unique_names(const std::vector<std::string>& names);
std::vector<std::string> mesh_names(const Scene& scene);
std::vector<std::string> joint_names(const Scene& scene);

/// The weights of the chosen meshes; its joints are those that may own weight. A mesh without a
/// skin has empty rows.
WeightTable table_of(const Scene& scene, const std::vector<bool>& chosen);

/// Lets exactly the table's joints own weight from now on.
void take_deforming(const WeightTable& table, Scene& scene);

/// The rows of a table that have to be written. Rows equal to the scene's are left out; a mesh with
/// no other rows stays bit for bit, as do vertices with an empty row. Rows are sorted, and scaled
/// to sum to one if they are off by more than 1e-6. `warnings` say, per mesh, how many rows are off
/// by more than 1e-4 and how many vertices stay without weights. Throws Error(input), naming the
/// mesh and the row, for an unknown mesh or joint, another vertex count, and an empty row in a mesh
/// without a skin.
SceneWeights weights_of(const Scene& scene, const WeightTable& table,
                        std::vector<std::string>& warnings);

}  // namespace gvbind
