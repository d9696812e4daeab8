#pragma once

// Tested by tests/unit/gvbind/joined_layers_test.cpp.

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/fitted/fitted_weights.h"
#include "gvbind/prepare/components.h"

namespace gvbind {

/// Two vertices of different components that lie on each other and face the same way: a coat and
/// the body below it.
using LayerPair = std::array<std::uint32_t, 2>;

struct LayerOptions {
  /// Maximum distance, relative to the diagonal of the mesh's box. Layers are also no further apart
  /// than the edges at a vertex are long on average.
  double reach = 0.01;
  double min_alike = 0.5;   ///< minimum cosine between the normals
  float min_shared = 0.1f;  ///< minimum weight in common; eyes and lids share less
};

/// Each welded vertex with the nearest one of another component. Ascending, no duplicates.
/// `normals`: by vertex, unit or zero.
std::vector<LayerPair> layer_pairs(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                                   const Components& components,
                                   std::span<const Eigen::Vector3d> normals,
                                   const LayerOptions& options = {});

/// Replaces the shares of a point beside a vertex in a pair by the mean of its own and the mean of
/// that vertex's partners', so that layers follow the same joints and do not pierce each other in
/// poses. Scores of other points keep their bits. `beside`: by point, a welded vertex.
PairScores join_layers(const PairScores& of_points, std::span<const std::uint32_t> beside,
                       const PairScores& of_vertices, std::span<const LayerPair> pairs,
                       const LayerOptions& options = {});

}  // namespace gvbind
