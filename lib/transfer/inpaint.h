#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "gvbind/mesh_view.h"

namespace gvbind {

/// What is known of a field on a mesh: rows of `values` are vertices, columns unknown functions.
struct InpaintProblem {
  std::span<const Eigen::Vector3d> positions;
  std::span<const Triangle> triangles;
  std::vector<bool> known;   ///< one per vertex: its row of `values` stays
  Eigen::MatrixXd values;    ///< of the others: where they are drawn to
  double hold_length = 1.0;  ///< how far a known value reaches until that draws as strongly, in the
                             ///< unit of the positions
};

/// Harmonic functions on the mesh through the known values (the inpainting of Abdrashitov et al.
/// 2023, with the Laplacian in place of its square), drawn to their own values:
/// (L + M / hold_length^2) w = M / hold_length^2 v with cotangents that are not negative. Each
/// value is a mean of known and drawn-to ones, so weights stay within 0 and 1 and sum to one.
/// Vertices at one position are one; known counts if any of them is. Those without triangles keep
/// their own values.
Eigen::MatrixXd inpaint(const InpaintProblem& problem);

}  // namespace gvbind
