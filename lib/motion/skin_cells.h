#pragma once

// Tested by tests/unit/motion/skin_cells_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gvbind/skin_weights.h"

namespace gvbind {

constexpr std::size_t sites_per_cell = 6;

/// Where a cell has what among its numbers. A site: its center (3, from the joint, of the size),
/// the logarithms of s (3), R as a quaternion x y z w (4, of any length above zero), the logarithm
/// of t. Behind the sites: the logarithms of r and c.
constexpr std::size_t site_scale = 3, site_turn = 6, site_tail = 10, numbers_per_site = 11;
constexpr std::size_t cell_power = sites_per_cell * numbers_per_site, cell_slack = cell_power + 1;
constexpr std::size_t numbers_per_cell = cell_slack + 1;

constexpr double max_cell_number = 100.0;  ///< of what stands for itself, not for its logarithm
constexpr double max_cell_log = 12.0;

/// One cell a joint (SkinCells, section 3.3): a field of weights in bind space.
struct SkinCells {
  struct Owner {
    std::string name;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the joint, bind space
  };
  std::vector<Owner> joints;
  std::vector<double> numbers;  ///< numbers_per_cell by joint
  double size = 1.0;            ///< what centers are measured in, bind space, above zero
  int max_influences = 4;       ///< joints per point, at most

  std::size_t count() const { return joints.size(); }
};

/// The cells ready to be evaluated. Lengths are in units of SkinCells::size.
struct CellField {
  struct Site {
    Eigen::Vector3d center, scale;
    Eigen::Matrix3d turn;
    double tail = 1.0;
  };
  std::vector<Site> sites;           ///< sites_per_cell by cell
  std::vector<double> power, slack;  ///< r and c by cell
  double size = 1.0;
  /// l of eq. 7, from 0: one more than joints may have weight, as the farthest of l has none.
  std::size_t limit = 0;
  double reach = 1.0;  ///< D_l is so many times that distance: above 1 where cells are too few
};

/// `slack`: what c of eq. 7 is multiplied by. With 0 no point has more joints than the cells' own
/// max_influences.
CellField cell_field(const SkinCells& cells, double slack = 0.0);

/// The weights at a point, with what their slopes are made of.
struct CellPoint {
  std::vector<double> distance;     ///< d(x; P_j), eq. 6
  std::vector<std::uint8_t> site;   ///< the nearest of each cell
  std::vector<double> ratio, raw;   ///< what q takes, and w(x; S_j), eq. 7
  std::vector<double> weight;       ///< eq. 2; sum one
  std::vector<std::uint32_t> owns;  ///< cells with weight, ascending
  std::uint32_t limit_cell = 0;
  double limit = 0.0, sum = 0.0;  ///< D_l; of raw
};

/// `at`: in bind space.
void evaluate_point(const CellField& field, const Eigen::Vector3d& at, CellPoint& point);

/// Adds to `gradient` (numbers_per_cell by cell) the slope by the cells' numbers of what has the
/// slopes `by_weight` by the weights at a point.
void add_cell_gradient(const SkinCells& cells, const CellField& field, const Eigen::Vector3d& at,
                       const CellPoint& point, std::span<const double> by_weight,
                       std::span<double> gradient);

/// Rows of at most max_influences joints, by cell. A point that is not finite has an empty row.
SkinWeights cell_weights(const SkinCells& cells, std::span<const Eigen::Vector3d> points,
                         int max_influences);

}  // namespace gvbind
