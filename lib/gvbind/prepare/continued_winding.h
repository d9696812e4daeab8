#pragma once

#include <optional>

#include "gvbind/prepare/edge_field.h"
#include "gvbind/prepare/winding_expansion.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// Winding numbers of many points close to each other. The fractional part follows from the open
/// edges, usually few (edge_field.h). The mesh is evaluated only for the whole number, and only if
/// the winding number nearby is unknown. All points and lengths: lattice. Queries may run in
/// parallel.
class ContinuedWinding {
 public:
  /// `tree`: of the mesh, must outlive this.
  ContinuedWinding(const LatticeMesh& mesh, const WindingTree& tree);

  double at(const Eigen::Vector3d& point) const;
  /// As above, if w differs from `known` by at most `change` modulo whole numbers; `change` <=
  /// max_change, which leaves less than half a whole number including both errors.
  double near(const Eigen::Vector3d& point, double known, double change) const;
  static constexpr double max_change = 0.43;

  /// Bound of the error; near w = 1/2 the error is much smaller.
  double error() const;

  const EdgeField& edges() const { return edges_; }
  /// Null if the edges suffice. Otherwise there are too many open edges, and expansions of the mesh
  /// are fastest.
  const WindingSources* sources() const { return sources_ ? &*sources_ : nullptr; }

 private:
  double fraction(const Eigen::Vector3d& point) const;

  const WindingTree& tree_;
  EdgeField edges_;
  bool few_, by_edges_;
  std::optional<WindingSources> sources_;
};

}  // namespace gvbind
