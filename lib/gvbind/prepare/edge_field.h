#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gvbind/prepare/open_edges.h"

namespace gvbind {

/// What the open edges of a mesh tell of its winding number w. They tell all but whole numbers: a
/// surface turned inside out that ends at the same edges would close the mesh. All points and
/// lengths: lattice. Questions may run in parallel.
class EdgeField {
 public:
  EdgeField(const LatticeMesh& mesh, const OpenLoops& loops);

  /// w but for a whole number, from -1/2 to 1/2; any such value on an edge itself. Loops further
  /// away than `accuracy` of their radii act as dipoles, runs of edges as dipoles and their chords;
  /// infinity: none does.
  double fraction(const Eigen::Vector3d& point, double accuracy) const;

  /// But for jumps by whole numbers at the surface, the gradient of w is 1 / (4 pi) times the
  /// magnetic field of a current along the edges (Biot and Savart). No edge of length l at distance
  /// d adds more than min(l / d^2, 2 / d), no loop that a surface of area A at distance d would
  /// close more than 2 A / d^3. This sums up to a bound for all points within `radius` of `center`,
  /// per lattice step; infinity where an edge may be there. Any value above `limit` means no more
  /// than that.
  double slope(const Eigen::Vector3d& center, double radius,
               double limit = std::numeric_limits<double>::infinity()) const;

  std::size_t edges() const { return edges_.size(); }

 private:
  struct Edge {
    Eigen::Vector3d start, end;
    int surfaces;
    bool goes_on;  ///< starts where the one before ends
  };
  /// Over the edges of a loop, or over a run of them, or over loops.
  struct Node {
    Eigen::AlignedBox3d box;
    double diagonal = 0.0;  ///< of the box
    double length = 0.0;    ///< of the edges
    double area = 0.0;      ///< of surfaces that close the loops; infinity for a part of one
    double fan_area = 0.0;  ///< the same, but a part of one is closed by its chord
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< fan_area with its direction
    Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of the fans, by area
    double radius = 0.0;                               ///< of the edges about that
    std::uint32_t first_edge = 0, last_edge = 0;
    std::uint32_t first_child = 0, last_child = 0;  ///< none: a leaf
    int chord = 0;  ///< part of a loop, from end to end one line: surfaces that end there
    bool closed = false;
  };
  struct Ball {
    Eigen::Vector3d center;
    double radius;
    double limit;  ///< of the sum
  };
  struct Fraction;

  void build_loop(std::uint32_t first, std::uint32_t last);
  void build_over(std::uint32_t first);
  void set_chord(Node& run) const;
  void set_fan(Node& node) const;
  void add_slope(const Node& node, double distance, const Ball& ball, double& sum) const;
  void add_slopes_of_children(const Node& node, const Ball& ball, double& sum) const;
  void add_slopes_of_edges(const Node& leaf, const Ball& ball, double& sum) const;
  void add_fraction(const Node& node, const Eigen::Vector3d& point, double accuracy,
                    Fraction& sum) const;
  void add_fractions_of_edges(const Node& leaf, const Eigen::Vector3d& point, Fraction& sum) const;

  std::vector<Edge> edges_;  ///< by loop
  std::vector<Node> nodes_;  ///< the last is the root
};

}  // namespace gvbind
