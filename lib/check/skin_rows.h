#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "character/scene.h"

namespace gvbind::check {

/// Identifies a vertex of a scene in messages.
struct VertexId {
  std::size_t mesh = 0;
  std::uint32_t vertex = 0;  ///< index in the document
};

struct SkinRowOptions {
  double sum_tolerance = 1e-3;  ///< tolerance of a vertex's sum of weights, 0 to 1
  int max_influences = 4;       ///< maximum number of joints per vertex, 1 to 255; 0: no limit
};

/// Properties of the rows of weights as stored in the file.
struct SkinRows {
  std::size_t skinned_meshes = 0;
  std::size_t vertices = 0;  ///< of the skinned meshes

  /// Weights that are negative, not finite or of an unknown joint; includes counts of readers.
  std::size_t damaged = 0;
  std::optional<std::size_t> damaged_in;  ///< the first mesh with damaged weights

  std::size_t off_sum = 0;             ///< vertices with weight whose sum is not one
  double largest_error = 0;            ///< |sum - 1| over all vertices with weight
  std::optional<VertexId> off_sum_at;  ///< vertex with the largest error, if off_sum > 0

  std::size_t without_weight = 0;             ///< vertices without positive weight
  std::optional<VertexId> without_weight_at;  ///< the first of these

  std::size_t max_influences = 0;   ///< joints with weight at one vertex
  double mean_influences = 0.0;     ///< over vertices with weight
  std::size_t over_influences = 0;  ///< vertices with more joints than allowed
  std::optional<VertexId> max_influences_at;
};

/// Measures the skinned meshes. A joint listed twice in a row counts once.
SkinRows measure_rows(const Scene& scene, const SkinRowOptions& options = {});

/// Joints that move something. Indices into Scene::joints.
struct JointUse {
  std::vector<std::uint8_t> owns;           ///< by joint: 1 if it has weight
  std::size_t deforming = 0;                ///< joints that may have weight
  std::vector<std::size_t> without_weight;  ///< of these, joints without weight
  /// Of these, joints without weight in their subtree: rotating them moves nothing.
  std::vector<std::size_t> idle;
};

JointUse measure_joint_use(const Scene& scene);

}  // namespace gvbind::check
