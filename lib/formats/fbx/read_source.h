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

/// A Model among the nodes of the scene.
struct FbxModel {
  const FbxObject* object = nullptr;
  int parent = -1;  ///< an earlier one
  FbxTransform transform;
};

/// An FBX on its way into a scene: what every part of the reader looks up.
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
  double meters = 0.01;                                ///< a unit of the file
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< its axes -> ours
  double frame_rate = 30.0;
  std::vector<bool> sheared = {};  ///< by node: no TRS places it below its parent at some time
  std::vector<bool> apart = {};    ///< by node, or empty: see split_scalings()

  const FbxNode& node(const FbxObject& object) const { return objects.node(object); }
  /// Objects of a kind that are connected to a property of another, in the file's order.
  std::vector<const FbxObject*> at_property(std::int64_t id, std::string_view property,
                                            std::string_view kind) const;
};

/// The values of a property as numbers, fewer where it has fewer.
std::vector<double> property_numbers(const FbxNode& object, const FbxNode* fallback,
                                     std::string_view name);
Eigen::Vector3d property_vector(const FbxNode& object, const FbxNode* fallback,
                                std::string_view name, const Eigen::Vector3d& missing);
std::string property_text(const FbxNode& object, std::string_view name);

/// Local transforms of all nodes where the Models stand as `transforms` has them. Marks the nodes
/// that would need shear in source.sheared.
std::vector<Transform> local_transforms(FbxSource& source,
                                        const std::vector<FbxTransform>& transforms);
/// The same with the values of the Models themselves.
std::vector<Transform> rest_transforms(FbxSource& source);
/// The same at a time of a clip.
std::vector<Transform> clip_transforms(FbxSource& source, const FbxStack& stack, double seconds);

/// After the clips were read: where nodes would need shear, says in source.apart which Models get
/// their scaling in a node of its own. True where there are any; rest and clips are then to be read
/// again, for split_scalings().
bool choose_split_scalings(FbxSource& source);
/// After meshes and clips were read: hides what the Models hide.
void hide_fbx_nodes(const FbxSource& source, NodeScene& scene);
/// Puts a node without scaling above each Model of source.apart; children that do not take its
/// scaling as a whole hang from that.
void split_scalings(const FbxSource& source, NodeScene& scene);

/// All but the clips.
void read_fbx_still(FbxSource& source, NodeScene& scene);

// Each part of the scene, in this order. All throw Error(input).
void read_fbx_nodes(FbxSource& source, NodeScene& scene);  ///< with cameras, lights and extras
/// By Material id; its pictures are read under the root.
std::unordered_map<std::int64_t, int> read_fbx_materials(FbxSource& source, NodeScene& scene);
/// With skins and morphs.
void read_fbx_meshes(FbxSource& source, const std::unordered_map<std::int64_t, int>& materials,
                     NodeScene& scene);
/// To a mesh whose vertices stand; `to_mesh` of the geometry's points, without the unit.
void add_fbx_morphs(const FbxSource& source, std::int64_t geometry, const SplitCorners& split,
                    std::size_t points, const Eigen::Matrix3d& to_mesh, Mesh& mesh);

/// A morph target of a node, as clips drive it.
struct FbxMorphTarget {
  std::int64_t object = 0;  ///< whose property says how far its channel is on
  std::string property;
  double rest = 0.0;         ///< percent, without a clip
  std::vector<double> full;  ///< percents at which the channel's targets are full, ascending
  std::size_t at = 0;        ///< which of them it is
};
/// From the one target to the next, and on beyond the last, up and down from zero.
double morph_weight(const FbxMorphTarget& target, double percent);
/// How far a clip has the channel on.
double percent_at(const FbxStack& stack, const FbxMorphTarget& target, double seconds);
/// In the order of the mesh's morphs.
std::vector<FbxMorphTarget> morph_targets(const FbxSource& source, std::int64_t geometry);
void read_fbx_clips(FbxSource& source, NodeScene& scene);
/// What the other parts have no place for.
void count_fbx_losses(const FbxSource& source);

}  // namespace gvbind
