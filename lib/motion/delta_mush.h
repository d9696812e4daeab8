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

namespace gvbind::motion {

struct DeltaMushOptions {
  double reach = 0.02;  ///< smoothing distance relative to the surface's size, 0.0001 to 0.5
};

/// A surface at rest, prepared for smoothing poses. Vertices at one position are one node.
struct DeltaMush {
  /// A neighboring node and the weight of the edge to it.
  struct Neighbor {
    std::uint32_t node;
    double weight;
  };
  std::vector<std::uint32_t> node_of;       ///< by vertex; UINT32_MAX if not finite
  std::vector<std::uint32_t> first_vertex;  ///< by node
  std::vector<double> mass;                 ///< by node: its area, above zero
  std::vector<std::size_t> first = {0};     ///< neighbors of node a: first[a] .. first[a + 1]
  std::vector<Neighbor> neighbors;
  Eigen::Matrix<double, Eigen::Dynamic, 3> smooth;  ///< the nodes at rest, smoothed
  Eigen::Matrix<double, Eigen::Dynamic, 3> detail;  ///< rest minus `smooth`
  std::shared_ptr<Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>> solver;
};

/// Additional edges between vertices, for example between separate components of a character.
using Bridge = std::array<std::uint32_t, 2>;

/// `rest`: by vertex; vertices that are not finite are ignored. Triangles and bridges must use
/// finite vertices.
DeltaMush prepare_delta_mush(std::span<const Eigen::Vector3d> rest,
                             std::span<const Triangle> triangles,
                             std::span<const Bridge> bridges = {},
                             const DeltaMushOptions& options = {});

/// Delta Mush (Mancewicz et al. 2014; SkinCells, section 3.5) of a pose: X_D = S(X) + B D. S(X)
/// solves (M + h^2 K) S(X) = M X with masses M, cotangent Laplacian K and reach h; D is the detail
/// that smoothing removes at rest; B rotates a node's neighborhood at rest to that of the pose. The
/// implicit step makes the result depend on `reach` instead of the resolution of the mesh. `posed`:
/// by vertex. Returns one position per vertex; ignored vertices are unchanged.
std::vector<Eigen::Vector3d> delta_mush(const DeltaMush& surface,
                                        std::span<const Eigen::Vector3d> posed);

}  // namespace gvbind::motion
