#pragma once

// Tested by tests/unit/motion/skin_cells_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gvbind/skin_weights.h"

namespace gvbind::motion {

constexpr std::size_t sites_per_cell = 6;

/// Layout of a cell's numbers. Per site: center (3, relative to the joint, in units of the size),
/// logarithms of s (3), R as a quaternion x y z w (4, any length above zero), logarithm of t. After
/// the sites: logarithms of r and c.
constexpr std::size_t site_scale = 3, site_rotation = 6, site_rounding = 10, numbers_per_site = 11;
constexpr std::size_t cell_exponent = sites_per_cell * numbers_per_site,
                      cell_margin = cell_exponent + 1;
constexpr std::size_t numbers_per_cell = cell_margin + 1;

constexpr double max_cell_number = 100.0;  ///< bound of numbers that are not logarithms
constexpr double max_cell_log = 12.0;

/// One cell per joint (SkinCells, section 3.3): an implicit weight field in bind space.
struct SkinCells {
  struct Owner {
    std::string name;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the joint, bind space
  };
  std::vector<Owner> joints;
  std::vector<double> numbers;  ///< numbers_per_cell per joint
  double size = 1.0;            ///< unit of centers, bind space, above zero
  int max_influences = 4;       ///< maximum number of joints per point

  std::size_t count() const { return joints.size(); }
};

/// Cells prepared for evaluation. Lengths are in units of SkinCells::size.
struct CellField {
  struct Site {
    Eigen::Vector3d center, scale;  ///< p and the diagonal of S
    Eigen::Matrix3d rotation;       ///< R
    double rounding = 1.0;          ///< t
  };
  std::vector<Site> sites;               ///< sites_per_cell per cell
  std::vector<double> exponent, margin;  ///< r and c by cell
  double size = 1.0;
  /// l of eq. 7, zero-based: the number of joints with weight, because the l-th has none.
  std::size_t limit = 0;
  double reach = 1.0;  ///< multiplies D_l; above 1 if there are too few cells
};

/// `margin`: multiplies c of eq. 7. With 0, points have at most the cells' max_influences joints.
CellField cell_field(const SkinCells& cells, double margin = 0.0);

/// The weights at a point, with the intermediate values that gradients need.
struct CellPoint {
  std::vector<double> distance;     ///< d(x; P_j), eq. 6
  std::vector<std::uint8_t> site;   ///< nearest site of each cell
  std::vector<double> ratio, raw;   ///< argument of q, and w(x; S_j), eq. 7
  std::vector<double> weight;       ///< eq. 2; sums to one
  std::vector<std::uint32_t> owns;  ///< cells with weight, ascending
  std::uint32_t limit_cell = 0;
  double limit = 0.0, sum = 0.0;  ///< D_l; sum of `raw`
};

/// `at`: in bind space.
void evaluate_point(const CellField& field, const Eigen::Vector3d& at, CellPoint& point);

/// Backpropagation: adds to `gradient` (numbers_per_cell per cell) the gradient of a function with
/// respect to the cells' numbers; `by_weight`: its gradient with respect to the weights at a point.
void add_cell_gradient(const SkinCells& cells, const CellField& field, const Eigen::Vector3d& at,
                       const CellPoint& point, std::span<const double> by_weight,
                       std::span<double> gradient);

/// Rows of at most max_influences joints, by cell. Points that are not finite have empty rows.
SkinWeights cell_weights(const SkinCells& cells, std::span<const Eigen::Vector3d> points,
                         int max_influences);

}  // namespace gvbind::motion
