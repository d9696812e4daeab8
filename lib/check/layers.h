#pragma once

// Tested by tests/unit/check/penetration_test.cpp.

#include <cstdint>
#include <vector>

#include "check/skin_surface.h"

namespace gvbind::check {

struct LayerOptions {
  double reach = 0.02;              ///< distance between layers, relative to the size; 0 to 1
  std::size_t max_samples = 20000;  ///< of larger surfaces, every n-th vertex is searched
};

/// A vertex under another layer of the surface.
struct CoveredVertex {
  std::uint32_t vertex;
  std::uint32_t triangle;  ///< of the layer over it, next along the vertex's normal
};

/// The vertices with weight that a connected part other than their own covers in bind pose: a ray
/// along the normal meets a triangle of it within reach that faces the same way. In the order of
/// the vertices.
std::vector<CoveredVertex> covered_vertices(const SkinSurface& surface,
                                            const LayerOptions& options = {});

/// By layer: the triangles around a covering one, which share vertices with it or with such
/// triangles. Vertices at the same position count as one.
class LayerPatches {
 public:
  explicit LayerPatches(const SkinSurface& surface);
  /// Ascending, with the triangle itself.
  std::vector<std::uint32_t> around(std::uint32_t triangle) const;

 private:
  std::vector<std::uint32_t> triangles_at(const std::vector<std::uint32_t>& triangles) const;

  const SkinSurface& surface_;
  std::vector<std::uint32_t> welded_;
  std::vector<std::size_t> first_;  ///< by welded vertex, into of_vertex_
  std::vector<std::uint32_t> of_vertex_;
};

}  // namespace gvbind::check
