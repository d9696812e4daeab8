#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <utility>
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
  /// The mesh's positions must outlive the tree, unchanged and in their place (they may be moved
  /// with their vector); its triangles need not.
  explicit WindingTree(const LatticeMesh& mesh, double accuracy = 2.3);
  explicit WindingTree(LatticeMesh&& mesh, double accuracy = 2.3) = delete;

  /// Where the error of `accuracy` could not tell inside from outside (w about 0.5 or -0.5),
  /// evaluated again with a higher one.
  double operator()(const Eigen::Vector3d& point) const;
  /// With one accuracy everywhere.
  double rough(const Eigen::Vector3d& point, double accuracy) const;
  /// From a winding number that is as exact as with `accuracy`.
  double refined(const Eigen::Vector3d& point, double winding, double accuracy) const;

  struct Node {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of the triangles, by area
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< sum of area-weighted normals
    double area = 0.0, radius = 0.0;
  };
  struct Corners {
    Eigen::Vector3d a, b, c;
  };
  bool empty() const { return triangles_.empty(); }
  /// Of a triangle, by its place in Morton order.
  Corners corners(std::size_t place) const {
    const Triangle& t = triangles_[place];
    return {positions_[t[0]].cast<double>(), positions_[t[1]].cast<double>(),
            positions_[t[2]].cast<double>()};
  }
  /// The last has one node, over all.
  const std::vector<std::vector<Node>>& levels() const { return levels_; }
  /// From where to where the nodes below one are, or the triangles of one of level 0.
  std::pair<std::size_t, std::size_t> below(std::size_t level, std::size_t node) const;

 private:
  double angle(const Eigen::Vector3d& point, double accuracy, int level, std::size_t node) const;
  double radius(const Eigen::Vector3d& center, std::size_t first, std::size_t last) const;
  void build_leaves();
  void build_level(const std::vector<Node>& below, int level);

  double accuracy_ = 0.0;
  std::span<const Eigen::Vector3i> positions_;  ///< of the mesh; copies of the corners would take
                                                ///< three times the memory of the triangles
  std::vector<Triangle> triangles_;             ///< in Morton order
  std::vector<std::vector<Node>> levels_;  ///< [0]: runs of triangles; each next level: runs of it
};

/// Questions to the mesh in bind space, for what is decided before there are voxels. All lengths in
/// units of bind space.
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
  /// How far from `from` along the unit vector `direction` the inside reaches, at most `max`; 0
  /// where `from` is outside. Exact to size() / 256 / 2^16, but air narrower than size() / 256 is
  /// missed.
  double depth(const Eigen::Vector3d& from, const Eigen::Vector3d& direction, double max) const;
  /// The fraction of the segment a, b that is inside, by 21 samples.
  double inside_fraction(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const;

 private:
  UnitCube cube_;
  const WindingTree& winding_;
  std::vector<Eigen::Vector3i> vertices_;  ///< of triangles, on the lattice
  double size_ = 0.0;
};

}  // namespace gvbind
