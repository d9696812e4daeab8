#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gvbind/prepare/open_edges.h"

namespace gvbind {

/// The fractional part of a mesh's winding number w, from its open edges. They determine w modulo
/// whole numbers: another surface with the same edges, reversed, would close the mesh. All points
/// and lengths: lattice. Queries may run in parallel.
class EdgeField {
 public:
  EdgeField(const LatticeMesh& mesh, const OpenLoops& loops);

  /// w modulo 1, from -1/2 to 1/2; arbitrary on an edge itself. Loops further away than `accuracy`
  /// radii are approximated by dipoles, runs of edges by dipoles and their chords. Infinity: no
  /// approximation.
  double fraction(const Eigen::Vector3d& point, double accuracy) const;

  /// Upper bound of the length of grad w within `radius` of `center`, per lattice step, ignoring
  /// the jumps by whole numbers at the surface; infinity if an edge may be inside. Values above
  /// `limit` are not exact.
  ///
  /// grad w is 1 / (4 pi) times the magnetic field of a current along the open edges (Biot and
  /// Savart). An edge of length l at distance d adds at most min(l / d^2, 2 / d); a loop closed by
  /// a surface of area A at distance d at most 2 A / d^3.
  double slope(const Eigen::Vector3d& center, double radius,
               double limit = std::numeric_limits<double>::infinity()) const;

  std::size_t edges() const { return edges_.size(); }

 private:
  struct Edge {
    Eigen::Vector3d start, end;
    int surfaces;
    bool goes_on;  ///< starts where the previous edge ends
  };
  /// Covers the edges of a loop, a run of them, or several loops.
  struct Node {
    Eigen::AlignedBox3d box;
    double diagonal = 0.0;  ///< of the box
    double length = 0.0;    ///< of the edges
    double area = 0.0;      ///< of surfaces that close the loops; infinity for a part of a loop
    double fan_area = 0.0;  ///< as `area`, with parts of a loop closed by their chords
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< fan_area as a vector
    Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of the fans, by area
    double radius = 0.0;                               ///< of the edges around `center`
    std::uint32_t first_edge = 0, last_edge = 0;
    std::uint32_t first_child = 0, last_child = 0;  ///< none: a leaf
    /// Parts of a loop that form one line end to end: number of surfaces ending there.
    int chord = 0;
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
