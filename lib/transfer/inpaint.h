#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "gvbind/mesh_view.h"

namespace gvbind::transfer {

/// A partially known field on a mesh: rows of `values` are vertices, columns functions.
struct InpaintProblem {
  std::span<const Eigen::Vector3d> positions;
  std::span<const Triangle> triangles;
  std::vector<bool> known;  ///< by vertex: its row of `values` is fixed
  Eigen::MatrixXd values;   ///< for unknown vertices: the values of the regularization
  /// Length at which known values and the regularization balance, in the unit of the positions.
  double spread_length = 1.0;
};

/// Harmonic functions on the mesh through the known values (inpainting of Abdrashitov et al. 2023,
/// with the Laplacian instead of its square), regularized toward v = `values`:
///   (L + M / spread_length^2) w = M / spread_length^2 v,
/// with non-negative cotangents in L. Results are means of the inputs, so weights stay between 0
/// and 1 and sum to one. Vertices at one position are merged, and are known if any of them is.
/// Vertices without triangles keep their values.
Eigen::MatrixXd inpaint(const InpaintProblem& problem);

}  // namespace gvbind::transfer
