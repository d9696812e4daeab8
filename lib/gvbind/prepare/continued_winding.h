#pragma once

#include <optional>

#include "gvbind/prepare/edge_field.h"
#include "gvbind/prepare/winding_expansion.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// Winding numbers of many points near each other. The open edges, few as a rule, tell them but for
/// whole numbers (edge_field.h); the mesh is asked for whole numbers only, and not where the
/// winding number is known nearby. All points and lengths: lattice. Questions may run in parallel.
class ContinuedWinding {
 public:
  /// `tree`: of the mesh, must outlive this.
  ContinuedWinding(const LatticeMesh& mesh, const WindingTree& tree);

  double at(const Eigen::Vector3d& point) const;
  /// The same where it is known to be `known` but for `change`, at most max_change: less than half
  /// a whole number with the errors of both.
  double near(const Eigen::Vector3d& point, double known, double change) const;
  static constexpr double max_change = 0.43;

  /// By how much these may be off; where they are about 1/2 it is much less.
  double error() const;

  const EdgeField& edges() const { return edges_; }
  /// None where the edges tell. Else so many are open that expansions of the mesh are the quickest.
  const WindingSources* sources() const { return sources_ ? &*sources_ : nullptr; }

 private:
  double fraction(const Eigen::Vector3d& point) const;

  const WindingTree& tree_;
  EdgeField edges_;
  bool few_, by_edges_;
  std::optional<WindingSources> sources_;
};

}  // namespace gvbind
