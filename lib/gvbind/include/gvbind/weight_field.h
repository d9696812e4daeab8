#pragma once

#include <memory>
#include <span>

#include "gvbind/bind_skin.h"

namespace gvbind {

/// The cached distances of a bound character. Evaluates weights with another falloff, or at the
/// vertices of other meshes (levels of detail), without computing distances again. Holds the voxels
/// and distances in memory. Const members are thread-safe.
class WeightField {
 public:
  /// Runs bind_skin() up to the distances; throws like it. Does not use `options.alpha`.
  /// `options.max_influences` limits later falloffs: each voxel stores the distances of that many
  /// joints (of at least four if the options correct them).
  static WeightField build(const MeshView& mesh, std::span<const Joint> joints,
                           const BindOptions& options = {}, const Monitor& monitor = {});

  /// Weights of the mesh itself: those of bind_skin() with this falloff. Rows are empty if no joint
  /// reaches any vertex. Throws Error(usage) for a falloff out of range, as at() does.
  SkinWeights at_vertices(const Falloff& falloff = {}) const;

  /// Weights at points in the space of the mesh. A point belongs to the component of the nearest
  /// vertex; near a vertex at a separated contact, distances are read on that vertex's side. At the
  /// vertices the result is that of at_vertices(), which every call computes too. Throws
  /// Error(cannot_bind) for a point that is not finite.
  SkinWeights at(const PositionView& points, const Falloff& falloff = {}) const;

  /// Statistics and findings of bind_skin(), up to the distances.
  const BindStatistics& statistics() const;
  const Findings& findings() const;

  WeightField(WeightField&&) noexcept;
  WeightField& operator=(WeightField&&) noexcept;
  ~WeightField();

 private:
  struct State;
  explicit WeightField(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gvbind
