#pragma once

// Tested by tests/unit/motion/delta_mush_test.cpp.

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

struct DeltaMushOptions {
  double reach = 0.02;  ///< how far smoothing spreads, of the surface's size, 0.0001 to 0.5
};

/// A surface at rest, ready to smooth its poses. Vertices at one place are one node.
struct DeltaMush {
  /// Node b beside node a, with the weight of the edge between them.
  struct Neighbor {
    std::uint32_t node;
    double weight;
  };
  std::vector<std::uint32_t> node_of;       ///< one per vertex; UINT32_MAX where not finite
  std::vector<std::uint32_t> first_vertex;  ///< one per node
  std::vector<double> mass;                 ///< one per node: its area, above zero
  std::vector<std::size_t> first = {0};     ///< node a has the neighbors first[a] ..
  std::vector<Neighbor> neighbors;
  Eigen::Matrix<double, Eigen::Dynamic, 3> smooth;  ///< the nodes at rest, smoothed
  Eigen::Matrix<double, Eigen::Dynamic, 3> detail;  ///< rest minus that
  std::shared_ptr<Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>> solver;
};

/// Edges that are no side of a triangle, such as those that hold parts of a character together.
using Bridge = std::array<std::uint32_t, 2>;

/// `rest`: vertices; those that are not finite take no part. Triangles and bridges are of finite
/// vertices.
DeltaMush prepare_delta_mush(std::span<const Eigen::Vector3d> rest,
                             std::span<const Triangle> triangles,
                             std::span<const Bridge> bridges = {},
                             const DeltaMushOptions& options = {});

/// Delta Mush (Mancewicz et al. 2014; SkinCells, section 3.5) of a pose: X_D = S(X) + B D, where
/// S(X) solves (M + h^2 K) S(X) = M X with masses M, cotangents K and reach h; D is what smoothing
/// takes from the rest shape; and B turns a node's surroundings at rest into those of the pose.
/// The implicit step makes the result depend on `reach`, not on how fine the mesh is.
/// `posed`: one per vertex. Returns one per vertex; a vertex that takes no part stays.
std::vector<Eigen::Vector3d> delta_mush(const DeltaMush& surface,
                                        std::span<const Eigen::Vector3d> posed);

}  // namespace gvbind
