#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Generalized winding number (section 5.1, reference 31): w(p) = (sum of the signed solid angles
/// of all triangles at p) / (4 pi). 1 inside a closed outward surface, 0 outside, fractional for
/// open surfaces; on a surface the mean of both sides. `point`: lattice. Reference implementation,
/// linear in the number of triangles.
double winding_number(const LatticeMesh& mesh, const Eigen::Vector3d& point);

/// Winding numbers in about log(triangles) per query: a tree over the triangles with dipoles for
/// far nodes (Barill et al. 2018). Queries may run in parallel.
class WindingTree {
 public:
  /// For a mesh without triangles: 0 everywhere.
  WindingTree() = default;
  /// `accuracy`: nodes further away than this many radii are approximated by dipoles. At 2.3 errors
  /// are at most a few hundredths. The mesh's positions must outlive the tree unchanged and at the
  /// same address (moving their vector is allowed); its triangles may be destroyed.
  explicit WindingTree(const LatticeMesh& mesh, double accuracy = 2.3);
  explicit WindingTree(LatticeMesh&& mesh, double accuracy = 2.3) = delete;

  /// Evaluates again with higher accuracy if the error could confuse inside and outside (w near 0.5
  /// or -0.5).
  double operator()(const Eigen::Vector3d& point) const;
  /// With a single accuracy everywhere.
  double rough(const Eigen::Vector3d& point, double accuracy) const;
  /// Refines a winding number that was computed with `accuracy`.
  double refined(const Eigen::Vector3d& point, double winding, double accuracy) const;

  struct Node {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< area-weighted, of the triangles
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< sum of area-weighted normals
    double area = 0.0, radius = 0.0;
  };
  struct Corners {
    Eigen::Vector3d a, b, c;
  };
  bool empty() const { return triangles_.empty(); }
  /// By position in Morton order.
  Corners corners(std::size_t place) const {
    const Triangle& t = triangles_[place];
    return {positions_[t[0]].cast<double>(), positions_[t[1]].cast<double>(),
            positions_[t[2]].cast<double>()};
  }
  /// The last level is the root.
  const std::vector<std::vector<Node>>& levels() const { return levels_; }
  /// The range of a node's children, or of its triangles at level 0.
  std::pair<std::size_t, std::size_t> below(std::size_t level, std::size_t node) const;

 private:
  double angle(const Eigen::Vector3d& point, double accuracy, int level, std::size_t node) const;
  double radius(const Eigen::Vector3d& center, std::size_t first, std::size_t last) const;
  void build_leaves();
  void build_level(const std::vector<Node>& below, int level);

  double accuracy_ = 0.0;
  std::span<const Eigen::Vector3i> positions_;  ///< of the mesh; copies of the corners would use
                                                ///< three times the memory of the triangles
  std::vector<Triangle> triangles_;             ///< in Morton order
  /// [0]: runs of triangles; [i]: runs of nodes of [i - 1].
  std::vector<std::vector<Node>> levels_;
};

/// Queries of the mesh in bind space, before voxels exist. All lengths in units of bind space.
class InsideQuery {
 public:
  /// `mesh`: on the lattice of `cube`; `winding`: of that mesh, must outlive the query.
  InsideQuery(const UnitCube& cube, const LatticeMesh& mesh, const WindingTree& winding);

  /// |winding number| > 1/2, so that a mesh turned inside out contains the same points.
  bool contains(const Eigen::Vector3d& point) const;
  /// Distance to the nearest vertex of a triangle.
  double gap(const Eigen::Vector3d& point) const;
  /// Longest side of the mesh's bounding box.
  double size() const { return size_; }
  /// Length of the inside from `from` along the unit vector `direction`, at most `max`; 0 if `from`
  /// is outside. Exact to size() / 256 / 2^16, but misses gaps narrower than size() / 256.
  double depth(const Eigen::Vector3d& from, const Eigen::Vector3d& direction, double max) const;
  /// The fraction of segment ab that is inside, from 21 samples.
  double inside_fraction(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const;

 private:
  UnitCube cube_;
  const WindingTree& winding_;
  std::vector<Eigen::Vector3i> vertices_;  ///< of triangles, on the lattice
  double size_ = 0.0;
};

}  // namespace gvbind
