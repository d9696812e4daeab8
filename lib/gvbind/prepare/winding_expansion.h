#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// Coefficients of a polynomial of three variables.
constexpr int polynomial_terms(int degree) {
  return (degree + 1) * (degree + 2) * (degree + 3) / 6;
}

/// A tree of triangles with moments for expansions. The tree must outlive this.
struct WindingSources {
  explicit WindingSources(const WindingTree& tree);

  /// The integrals over a node's triangles of n_i, n_i x_j and n_i x_j x_k / 2, x from its center
  /// on, added up by monomials: x, y, z, xx, xy, ... zzz.
  using Moments = std::array<double, polynomial_terms(3) - 1>;

  const WindingTree& tree;
  std::vector<std::vector<Moments>> moments;  ///< as tree.levels()
};

/// Winding numbers of many points in a small ball (section 5.1). What is far from the ball is one
/// polynomial, the Taylor expansion about the ball's center of dipoles, quadrupoles and octupoles;
/// only triangles nearby are summed up for each point. A ball within takes over the polynomial and
/// has fewer triangles nearby: the downward half of a fast multipole method (Greengard and Rokhlin
/// 1987). All lengths: lattice.
class WindingExpansion {
 public:
  struct Ball {
    Eigen::Vector3d center;
    double radius;
  };
  WindingExpansion(const WindingSources& sources, const Ball& ball);
  /// `ball`: within that of `outer`.
  WindingExpansion(const WindingExpansion& outer, const Ball& ball);

  /// At a point of the ball. One question at a time.
  double at(const Eigen::Vector3d& point);
  /// By how much that may be off; where the answer is about 1/2 or -1/2 it is as the tree's.
  static constexpr double error = 0.02;

  static constexpr int degree = 4;

 private:
  struct NodeRef {
    std::uint32_t level, index;
  };
  /// In the ball's radii, from its center on.
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
  std::array<double, polynomial_terms(degree)> polynomial_{};  ///< of offsets in radii
  std::vector<NodeRef> near_;                                  ///< leaves
  // What is in them, gathered for the first question:
  bool gathered_ = false;
  std::size_t triangles_ = 0;
  std::vector<double> corners_;  ///< a.x of all triangles, a.y of all, ... c.z; as dipoles
  std::vector<Dipole> dipoles_;
};

}  // namespace gvbind
