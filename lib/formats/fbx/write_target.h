#pragma once

// Tested by tests/command/convert_back_test.py.

#include "character/node_scene.h"
#include "formats/fbx/build.h"
#include "formats/fbx/edit.h"

namespace gvbind {

/// Programs that ignore the unit of an FBX assume centimeters.
constexpr double fbx_unit = 100.0;  // per meter

/// The state of writing a scene to an FBX: ids of the objects written so far.
struct FbxTarget {
  const NodeScene& scene;
  DroppedFeatures& losses;
  FbxEditor editor;
  std::vector<std::int64_t> models = {};       ///< by node
  std::vector<std::int64_t> mesh_models = {};  ///< by node: the Model that shows its mesh, or 0
  std::vector<std::int64_t> materials = {};    ///< by material
  std::vector<std::vector<std::int64_t>> morph_channels = {};  ///< by node and morph
  std::vector<int> scaled_above = {};  ///< by node: the nearest ancestor with a scale, or -1
};

std::vector<FbxProperty> vector_values(const Eigen::Vector3d& vector);
/// A property that clips can animate.
FbxNode vector_entry(std::string_view name, std::string_view type, const Eigen::Vector3d& vector);
/// A user property.
FbxNode user_entry(const CustomProperty& extra);

/// The same transform in the file's unit.
Eigen::Affine3d in_fbx_units(const Eigen::Affine3d& matrix);

// The parts of the writer, in order of their calls.
void write_fbx_materials(FbxTarget& target);  ///< with textures
void write_fbx_nodes(FbxTarget& target);      ///< with cameras, lights and users' properties
void write_fbx_meshes(FbxTarget& target);     ///< with skins, morphs and the bind pose

/// Rounds times to frames of the rate if they are close to one.
void write_fbx_clips(FbxTarget& target, double frame_rate);
/// The first common frame rate that fits nearly all keys of the clips; else 60.
double frame_rate_of(const NodeScene& scene);

}  // namespace gvbind
