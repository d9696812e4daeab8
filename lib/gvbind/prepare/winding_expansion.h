#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// Number of coefficients of a polynomial in three variables.
constexpr int polynomial_terms(int degree) {
  return (degree + 1) * (degree + 2) * (degree + 3) / 6;
}

/// A tree of triangles with moments for expansions. The tree must outlive this.
struct WindingSources {
  explicit WindingSources(const WindingTree& tree);

  /// Integrals over a node's triangles of n_i, n_i x_j and n_i x_j x_k / 2, x relative to the
  /// node's center, collected by monomial: x, y, z, xx, xy, ... zzz.
  using Moments = std::array<double, polynomial_terms(3) - 1>;

  const WindingTree& tree;
  std::vector<std::vector<Moments>> moments;  ///< indexed like tree.levels()
};

/// Winding numbers of many points in a small ball (section 5.1). Distant triangles are combined
/// into one polynomial, the Taylor expansion of dipoles, quadrupoles and octupoles about the ball's
/// center; only near triangles are summed for each point. An inner ball inherits the polynomial and
/// has fewer near triangles: the downward pass of a fast multipole method (Greengard and Rokhlin
/// 1987). All lengths: lattice.
class WindingExpansion {
 public:
  struct Ball {
    Eigen::Vector3d center;
    double radius;
  };
  WindingExpansion(const WindingSources& sources, const Ball& ball);
  /// `ball`: inside that of `outer`.
  WindingExpansion(const WindingExpansion& outer, const Ball& ball);

  /// At a point in the ball. Not thread-safe.
  double at(const Eigen::Vector3d& point);
  /// Bound of the error; near 1/2 and -1/2 the result is that of the tree.
  static constexpr double error = 0.02;

  static constexpr int degree = 4;

 private:
  struct NodeRef {
    std::uint32_t level, index;
  };
  /// In units of the ball's radius, relative to its center.
  struct Dipole {
    Eigen::Vector3d at, moment;
  };

  void add(NodeRef node);
  void add_far(const Eigen::Vector3d& center, const WindingSources::Moments& moments);
  void shift(const Eigen::Vector3d& by);
  void gather();
  double polynomial_at(const Eigen::Vector3d& offset) const;
  void half_angles(const Eigen::Vector3d& offset, std::size_t first, std::size_t count,
                   double* rest, double* volume) const;
  double near_angle(const Eigen::Vector3d& offset) const;
  double dipole_angle(const Eigen::Vector3d& offset) const;

  const WindingSources* sources_;
  Ball ball_;
  std::array<double, polynomial_terms(degree)> polynomial_{};  ///< in offsets divided by the radius
  std::vector<NodeRef> near_;                                  ///< leaves
  // Triangles of `near_`, collected on the first query:
  bool gathered_ = false;
  std::size_t triangles_ = 0;
  /// a.x of all triangles, then a.y, ... c.z; after them the dipoles.
  std::vector<double> corners_;
  std::vector<Dipole> dipoles_;
};

}  // namespace gvbind
