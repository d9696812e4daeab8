#pragma once

// Tested by tests/unit/egl/slab_passes_test.cpp.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind::egl {

/// Triangles are drawn on a grid of 256 steps per voxel, the resolution of rasterizers. Snapping
/// corners ourselves, identically for all six views, makes coverage and depth exact for the same
/// slightly moved mesh (by at most one step). Corners are on odd steps, voxel centers on even ones,
/// so no face perpendicular to an axis meets a center.
constexpr int voxel_steps = 256;

/// A corner, and its triangle's plane (repeated at all three corners): depth = `base` + `rest` +
/// slopes * pixels from the reference pixel, clamped to base + [low, high]. Split into base and
/// rest, because a single float has no fractions of a step at high resolutions.
struct SlabVertex {
  float u, v;                 ///< steps
  float slope_u, slope_v;     ///< steps per pixel
  float rest, base;           ///< steps, at the center of the reference pixel; base is an integer
  float low, high;            ///< steps relative to base
  std::int16_t ref_u, ref_v;  ///< pixels
};

/// Pixels of an image. `left` is a multiple of 64: 64 adjacent pixels become one word of the grid.
struct PixelRect {
  int left = 0, bottom = 0, width = 0, height = 0;
};

/// A triangle that covers pixels.
struct SlabFacet {
  std::uint32_t vertex;                   ///< first of three
  std::int16_t first_slab, last_slab;     ///< range of slabs that it meets
  std::int16_t left, right, bottom, top;  ///< pixels that it may cover, inclusive
  bool along;                             ///< whether its normal points along the axis
};

/// The faces to draw for both views of one axis. The image is (y, z), (x, z) or (x, y) for the axes
/// x, y and z. A face at depth d is in slab n = number of voxel centers (slices) below d, 0 to
/// resolution. Seen along the axis it decides the slices below n, seen against it the slices from n
/// on.
struct SlabPlan {
  int axis = 0;
  int resolution = 0;
  PixelRect image;                     ///< pixels that the mesh may cover
  int first_slab = 0, last_slab = -1;  ///< none if last < first
  int first_slice = 0;                 ///< first one drawn; multiple of 64
  int slice_groups = 0;                ///< 128 slices each
  std::vector<SlabVertex> vertices;
  std::vector<SlabFacet> facets;
};

/// `resolution`: power of two, 16 to 2048. Drops triangles edge-on to the axis and triangles
/// between pixels.
SlabPlan plan_slabs(const LatticeMesh& mesh, int resolution, int axis);

}  // namespace gvbind::egl
