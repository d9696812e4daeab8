#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <map>
#include <unordered_map>

#include "character/node_scene.h"
#include "formats/fbx/objects.h"
#include "formats/fbx/split_vertices.h"
#include "formats/fbx/stack.h"
#include "formats/fbx/transform.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// A Model as a node of the scene.
struct FbxModel {
  const FbxObject* object = nullptr;
  int parent = -1;  ///< its index is smaller
  FbxTransform transform;
};

/// The state shared by all parts of the FBX reader.
struct FbxSource {
  const FbxDocument& document;
  const ReadOptions& options;  ///< with a root
  bool own_joint_for_unweighted = true;
  DroppedFeatures& losses;
  Findings& findings;
  FbxObjects objects;
  FbxPropertyLinks links;
  std::vector<FbxModel> models = {};                   ///< parents first: node i is model i
  std::unordered_map<std::int64_t, int> node_of = {};  ///< by Model id
  double meters = 0.01;                                ///< length of a unit of the file
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< the file's axes -> the scene's
  double frame_rate = 30.0;
  std::vector<bool> sheared = {};  ///< by node: it needs shear at some time
  std::vector<bool> apart = {};    ///< by node, or empty: see split_scalings()

  const FbxNode& node(const FbxObject& object) const { return objects.node(object); }
  /// Objects of a kind that are connected to a property of `id`, in the file's order.
  std::vector<const FbxObject*> at_property(std::int64_t id, std::string_view property,
                                            std::string_view kind) const;
};

/// The values of a property as numbers, perhaps fewer than requested.
std::vector<double> property_numbers(const FbxNode& object, const FbxNode* fallback,
                                     std::string_view name);
Eigen::Vector3d property_vector(const FbxNode& object, const FbxNode* fallback,
                                std::string_view name, const Eigen::Vector3d& missing);
std::string property_text(const FbxNode& object, std::string_view name);

/// Local transforms of all nodes for the given transforms of Models. Marks nodes that would need
/// shear in source.sheared.
std::vector<Transform> local_transforms(FbxSource& source,
                                        const std::vector<FbxTransform>& transforms);
/// As above, with the Models' own values.
std::vector<Transform> rest_transforms(FbxSource& source);
/// As above, at a time of a clip.
std::vector<Transform> clip_transforms(FbxSource& source, const FbxStack& stack, double seconds);

/// Call it after the clips were read. If nodes would need shear, marks the Models that get a
/// separate node for their scaling in source.apart and returns true. Then rest pose and clips must
/// be read again, for split_scalings().
bool choose_split_scalings(FbxSource& source);
/// Hides the nodes that Models hide. Call it after meshes and clips were read.
void hide_fbx_nodes(const FbxSource& source, NodeScene& scene);
/// Puts a node without scaling above each Model of source.apart. Children that do not inherit the
/// whole scaling become children of this node.
void split_scalings(const FbxSource& source, NodeScene& scene);

/// Unit, axes and frame rate of the file.
void read_fbx_settings(FbxSource& source);
/// Reads everything except the clips.
void read_fbx_still(FbxSource& source, NodeScene& scene);

// The parts of the reader, in order of their calls. All throw Error(input).
void read_fbx_nodes(FbxSource& source, NodeScene& scene);  ///< with cameras, lights and extras
/// Returns materials by Material id; their pictures are read under the root.
std::unordered_map<std::int64_t, int> read_fbx_materials(FbxSource& source, NodeScene& scene);
/// Reads meshes with skins and morphs.
void read_fbx_meshes(FbxSource& source, const std::unordered_map<std::int64_t, int>& materials,
                     NodeScene& scene);
/// Adds morphs to a finished mesh; `to_mesh`: geometry -> mesh, without the unit.
void add_fbx_morphs(const FbxSource& source, std::int64_t geometry, const SplitCorners& split,
                    std::size_t points, const Eigen::Matrix3d& to_mesh, Mesh& mesh);

/// A morph target of a node, as driven by clips.
struct FbxMorphTarget {
  std::int64_t object = 0;  ///< its property drives the channel
  std::string property;
  double rest = 0.0;         ///< percent, without a clip
  std::vector<double> full;  ///< percents of full weight of the channel's targets, ascending
  std::size_t at = 0;        ///< index of this target in `full`
};
/// Linear from each target to the next, extrapolated beyond the last, on both sides of zero.
double morph_weight(const FbxMorphTarget& target, double percent);
/// The channel's percent in a clip.
double percent_at(const FbxStack& stack, const FbxMorphTarget& target, double seconds);
/// In the order of the mesh's morphs.
std::vector<FbxMorphTarget> morph_targets(const FbxSource& source, std::int64_t geometry);
void read_fbx_clips(FbxSource& source, NodeScene& scene);
/// Counts features that no part of the reader supports.
void count_fbx_losses(const FbxSource& source);

}  // namespace gvbind
