#pragma once

// Tested by tests/unit/motion/skin_cells_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "motion/skin_cells.h"

namespace gvbind {

/// A point of the skin that cells are fitted on.
struct CellSample {
  std::uint32_t vertex = 0;  ///< of the surface
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  double mass = 0.0;             ///< of all samples one in sum
  std::vector<Influence> start;  ///< by cell
  double lever = 1.0;            ///< mean square of what its joints' poses differ by, of the size
  bool has_spring = false;       ///< to the nearest point of a bone, which it is across from
  std::uint32_t spring_cell = 0;
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();
};

/// What the parts of the loss count.
struct CellLossWeights {
  double target = 1.0;    ///< of the distance to the targets: what eq. 12 asks for
  double hold = 0.05;     ///< of the squared distance to the start weights, times the lever
  double location = 0.1;  ///< of eq. 13, with lengths of the size
  double sparsity = 1.0;  ///< of eq. 14; a weight that is left out goes to the largest one's joint
};

struct CellProblem {
  std::vector<CellSample> samples;
  std::vector<std::vector<Eigen::Affine3d>> poses;  ///< by pose and cell, bind -> posed space
  std::vector<Eigen::Vector3d> target;              ///< by sample and pose, posed space
  std::vector<double> reach;  ///< by cell, how far its skin reaches, of the size: for steps
  CellLossWeights weights;
};

/// Eq. 15, the mean over samples and poses, and its slope by the cells' numbers. The same bytes on
/// any number of threads. `slack`: see cell_field().
double cell_loss(const SkinCells& cells, const CellProblem& problem, double slack,
                 std::vector<double>& gradient);

}  // namespace gvbind
