#pragma once

#include <memory>
#include <span>

#include "gvbind/bind_skin.h"

namespace gvbind {

/// The distances of a bound character, kept: weights with other falloff, or at the vertices of
/// other meshes (levels of detail), without computing distances again. Holds the voxels and
/// distances in memory. Const members may be called from several threads at once.
class WeightField {
 public:
  /// Everything of bind_skin() up to the distances; throws as that does. `options.alpha` is not
  /// used. `options.max_influences` bounds what a falloff can ask for later: the distances of so
  /// many joints are kept (of four at least where the options correct them).
  static WeightField build(const MeshView& mesh, std::span<const Joint> joints,
                           const BindOptions& options = {}, const Monitor& monitor = {});

  /// Of the mesh that the field was built from: what bind_skin() gives with this falloff. Rows are
  /// empty where no joint reaches any vertex.
  SkinWeights at_vertices(const Falloff& falloff = {}) const;

  /// At points in the space of the mesh. A point belongs to the component of the nearest vertex of
  /// the mesh; where that vertex lies at a separated contact, the point's distances are read on the
  /// same side. At the vertices themselves these are the weights of at_vertices(), which each call
  /// computes too.
  SkinWeights at(const PositionView& points, const Falloff& falloff = {}) const;

  /// As of bind_skin(), up to the distances.
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
