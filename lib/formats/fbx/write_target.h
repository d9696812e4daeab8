#pragma once

// Tested by tests/command/convert_back_test.py.

#include "character/node_scene.h"
#include "formats/fbx/build.h"
#include "formats/fbx/edit.h"

namespace gvbind {

/// Centimeters are what programs take an FBX to be in that do not ask for its unit.
constexpr double fbx_unit = 100.0;  // of a meter

/// A scene on its way into an FBX: ids of what stands there already.
struct FbxTarget {
  const NodeScene& scene;
  DroppedFeatures& losses;
  FbxEditor editor;
  std::vector<std::int64_t> models = {};       ///< by node
  std::vector<std::int64_t> mesh_models = {};  ///< by node: the Model that shows its mesh, or 0
  std::vector<std::int64_t> materials = {};    ///< by material
  std::vector<std::vector<std::int64_t>> morph_channels = {};  ///< by node and morph
  std::vector<int> scaled_above = {};  ///< by node: the nearest above with a scale, or -1
};

std::vector<FbxProperty> vector_values(const Eigen::Vector3d& vector);
/// A property that clips can move.
FbxNode vector_entry(std::string_view name, std::string_view type, const Eigen::Vector3d& vector);
/// A property of the user's own.
FbxNode user_entry(const CustomProperty& extra);

/// The same place in the file's unit.
Eigen::Affine3d in_fbx_units(const Eigen::Affine3d& matrix);

// Each part of the document, in this order.
void write_fbx_materials(FbxTarget& target);  ///< with textures
void write_fbx_nodes(FbxTarget& target);      ///< with cameras, lights and users' properties
void write_fbx_meshes(FbxTarget& target);     ///< with skins, morphs and the bind pose

/// Times are put on the frames of the rate where they are meant to lie there.
void write_fbx_clips(FbxTarget& target, double frame_rate);
/// Frames a second on which the keys of all clips lie, or most of them.
double frame_rate_of(const NodeScene& scene);

}  // namespace gvbind
