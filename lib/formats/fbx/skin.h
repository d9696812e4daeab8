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

/// A Cluster: the vertices that one joint moves in one geometry.
struct FbxCluster {
  std::int64_t id = 0;
  std::int64_t joint = 0;                        ///< Model id
  std::optional<Eigen::Affine3d> joint_bind;     ///< TransformLink: joint -> world at bind
  std::optional<Eigen::Affine3d> mesh_in_joint;  ///< Transform: mesh -> joint at bind
  std::vector<std::int32_t> vertices;            ///< may repeat; all are in range
  std::vector<double> weights;                   ///< one per entry of `vertices`
  std::vector<std::int32_t> damaged;             ///< vertices with weights that were left out
};

/// The clusters of all Skin deformers of a geometry, in the file's order.
struct FbxSkin {
  std::int64_t geometry = 0;
  std::int64_t deformer = 0;  ///< the first Skin
  std::vector<FbxCluster> clusters;
  std::size_t dropped = 0;  ///< number of weights left out
};

/// The Skin deformers of a geometry, by id in the file's order.
std::vector<std::int64_t> skins_of_geometry(const FbxObjects& objects, std::int64_t geometry);

/// The clusters of a geometry with their joints, without weights. Clusters without a Model are left
/// out.
FbxSkin read_clusters(const FbxObjects& objects, std::int64_t geometry);

/// As above, with weights. Entries that are out of range, negative or not numbers are dropped with
/// a finding, as are all entries of a cluster with damaged arrays.
FbxSkin read_skin(const FbxObjects& objects, std::int64_t geometry, std::size_t vertex_count,
                  Findings& findings);

/// The matrices of all BindPoses, by Model; the first of several counts.
std::unordered_map<std::int64_t, Eigen::Affine3d> read_bind_poses(const FbxObjects& objects);

/// Sixteen values, column-major; empty if they are missing, not finite or singular.
std::optional<Eigen::Affine3d> matrix_of(const FbxNode* node);
std::vector<double> matrix_values(const Eigen::Affine3d& matrix);

/// Rows of positive weights, sorted by decreasing weight. A vertex's entries for the same joint are
/// summed. `joint_of`: scene joint by Model id, for the joints of all clusters.
SkinWeights weight_rows(const FbxSkin& skin, const std::unordered_map<std::int64_t, int>& joint_of,
                        std::size_t vertex_count);

}  // namespace gvbind
