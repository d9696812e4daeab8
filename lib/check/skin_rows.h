#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// A vertex of a scene, to name it in a message.
struct VertexId {
  std::size_t mesh = 0;
  std::uint32_t vertex = 0;  ///< the document's own
};

struct SkinRowOptions {
  double sum_tolerance = 1e-3;  ///< how far a vertex's weights may be from a sum of one, 0 to 1
  int max_influences = 4;       ///< joints per vertex at most, 1 to 255; 0: any number
};

/// What the rows of weights hold, vertex by vertex, as the file has them.
struct SkinRows {
  std::size_t skinned_meshes = 0;
  std::size_t vertices = 0;  ///< of the skinned meshes

  /// Weights that are negative, not finite or of a joint that is not there; readers' counts too.
  std::size_t damaged = 0;
  std::optional<std::size_t> damaged_in;  ///< the first mesh that has some

  std::size_t off_sum = 0;             ///< vertices with weight whose sum is not one
  double largest_error = 0;            ///< |sum - 1| over all vertices with weight
  std::optional<VertexId> off_sum_at;  ///< the vertex of the largest error, where off_sum > 0

  std::size_t without_weight = 0;             ///< vertices with no positive weight
  std::optional<VertexId> without_weight_at;  ///< the first

  std::size_t max_influences = 0;   ///< joints with weight at one vertex
  double mean_influences = 0.0;     ///< over vertices with weight
  std::size_t over_influences = 0;  ///< vertices with more joints than allowed
  std::optional<VertexId> max_influences_at;
};

/// Looks at the skinned meshes. A joint that a row names twice counts once.
SkinRows measure_rows(const Scene& scene, const SkinRowOptions& options = {});

/// Which joints move something. Numbers are of Scene::joints, in its order.
struct JointUse {
  std::vector<std::uint8_t> owns;           ///< by joint: 1 where it has weight
  std::size_t deforming = 0;                ///< joints that may own weight
  std::vector<std::size_t> without_weight;  ///< of those, the ones that own none
  std::vector<std::size_t> idle;  ///< of those again, the ones below which none owns weight either:
                                  ///< turning them moves nothing of the skin
};

JointUse measure_joint_use(const Scene& scene);

}  // namespace gvbind
