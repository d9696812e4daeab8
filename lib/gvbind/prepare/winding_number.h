#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Generalized winding number w(p) = (sum of the signed solid angles of all triangles at p) / (4
/// pi) (section 5.1, reference 31): 1 inside a closed outward surface, 0 outside, in between for
/// open ones, and on a surface the mean of its two sides. `point`: lattice. Linear in the
/// triangles: the reference.
double winding_number(const LatticeMesh& mesh, const Eigen::Vector3d& point);

/// The same in about log(triangles) per query: a tree over the triangles whose far nodes act as
/// dipoles (Barill et al. 2018). Queries may run in parallel.
class WindingTree {
 public:
  /// Of a mesh without triangles: 0 everywhere.
  WindingTree() = default;
  /// `accuracy`: nodes further away than this many of their radii act as dipoles. At 2.3 errors
  /// stay below a few hundredths.
  explicit WindingTree(const LatticeMesh& mesh, double accuracy = 2.3);

  /// Where the error of `accuracy` could not tell inside from outside (w about 0.5 or -0.5),
  /// evaluated again with a higher one.
  double operator()(const Eigen::Vector3d& point) const;

 private:
  struct Node {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of the triangles, by area
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< sum of area-weighted normals
    double area = 0.0, radius = 0.0;
  };
  struct Corners {
    Eigen::Vector3d a, b, c;
  };

  double angle(const Eigen::Vector3d& point, double accuracy, int level, std::size_t node) const;
  void build_leaves();
  void build_level(const std::vector<Node>& below, int level);

  double accuracy_ = 0.0;
  std::vector<Corners> triangles_;         ///< in Morton order
  std::vector<std::vector<Node>> levels_;  ///< [0]: runs of triangles; each next level: runs of it
};

}  // namespace gvbind
