#pragma once

// Tested by tests/unit/motion/skin_cells_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "motion/skin_cells.h"

namespace gvbind::motion {

/// A point of the skin to which cells are fitted.
struct CellSample {
  std::uint32_t vertex = 0;  ///< of the surface
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  double mass = 0.0;             ///< fraction of all samples; sums to one
  std::vector<Influence> start;  ///< by cell
  /// Mean squared displacement between its joints' poses, relative to the size.
  double lever = 1.0;
  bool has_spring = false;  ///< to the nearest point of a bone, if that is inside the bone
  std::uint32_t spring_cell = 0;
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();
};

/// Weights of the terms of the loss.
struct CellLossWeights {
  double target = 1.0;  ///< of the distance to the targets (eq. 12)
  /// Of the squared difference from the initial weights, times the lever.
  double regularization = 0.05;
  double location = 0.1;  ///< of eq. 13, lengths relative to the size
  double sparsity = 1.0;  ///< of eq. 14; a dropped weight goes to the joint with the largest
};

struct CellProblem {
  std::vector<CellSample> samples;
  std::vector<std::vector<Eigen::Affine3d>> poses;  ///< by pose and cell, bind -> posed space
  std::vector<Eigen::Vector3d> target;              ///< by sample and pose, posed space
  std::vector<double> reach;  ///< by cell, extent of its skin relative to the size: scale of steps
  CellLossWeights weights;
};

/// Eq. 15, the mean over samples and poses, and its gradient with respect to the cells' numbers.
/// The same bytes on any number of threads. `margin`: see cell_field().
double cell_loss(const SkinCells& cells, const CellProblem& problem, double margin,
                 std::vector<double>& gradient);

}  // namespace gvbind::motion
