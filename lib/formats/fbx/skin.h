#pragma once

// Tested by tests/unit/formats/fbx/patch_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/fbx/objects.h"
#include "gvbind/finding.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

/// A Cluster: what one joint moves of one geometry.
struct FbxCluster {
  std::int64_t id = 0;
  std::int64_t joint = 0;                        ///< Model id
  std::optional<Eigen::Affine3d> joint_bind;     ///< TransformLink: joint -> world at bind
  std::optional<Eigen::Affine3d> mesh_in_joint;  ///< Transform: mesh -> joint at bind
  std::vector<std::int32_t> vertices;            ///< may repeat; within the control points
  std::vector<double> weights;                   ///< as many
  std::vector<std::int32_t> damaged;             ///< vertices whose weight was left out
};

/// The clusters of all Skin deformers of a geometry, in the file's order.
struct FbxSkin {
  std::int64_t geometry = 0;
  std::int64_t deformer = 0;  ///< the first Skin
  std::vector<FbxCluster> clusters;
  std::size_t dropped = 0;  ///< weights left out
};

/// The Skin deformers of a geometry, by id in the file's order.
std::vector<std::int64_t> skins_of_geometry(const FbxObjects& objects, std::int64_t geometry);

/// Clusters of a geometry with their joints, without weights; those that link no Model are left
/// out.
FbxSkin read_clusters(const FbxObjects& objects, std::int64_t geometry);

/// The same with weights. Entries past the control points or that are negative or no number are
/// dropped with a finding, and so are all of a cluster whose arrays are damaged.
FbxSkin read_skin(const FbxObjects& objects, std::int64_t geometry, std::size_t vertex_count,
                  Findings& findings);

/// The matrices of all BindPoses, by Model; the first of several wins.
std::unordered_map<std::int64_t, Eigen::Affine3d> read_bind_poses(const FbxObjects& objects);

/// Sixteen values, column-major; empty where they are missing, no numbers, not finite or singular.
std::optional<Eigen::Affine3d> matrix_of(const FbxNode* node);
std::vector<double> matrix_values(const Eigen::Affine3d& matrix);

/// Rows of positive weights, sorted by falling weight; a joint that several clusters give to a
/// vertex is summed. `joint_of`: scene joint by Model id, with every cluster's.
SkinWeights weight_rows(const FbxSkin& skin, const std::unordered_map<std::int64_t, int>& joint_of,
                        std::size_t vertex_count);

}  // namespace gvbind
