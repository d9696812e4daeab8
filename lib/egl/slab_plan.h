#pragma once

// Tested by tests/unit/egl/slab_passes_test.cpp.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Triangles are drawn on a grid of 256 steps a voxel, which is what rasterizers resolve: snapping
/// the corners ourselves, the same way for all six views, makes coverage and depth exact for one
/// and the same slightly shifted mesh (at most a step). Corners lie on odd steps and voxel centers
/// on even ones, so no face square to an axis ever meets a center.
constexpr int voxel_steps = 256;

/// A corner and, the same at all three, the plane of its triangle: depth = `base` + `rest` + slopes
/// times the pixels from the reference pixel, held within base + [low, high]. In two parts, since
/// one float holds no fractions of a step at high resolutions.
struct SlabVertex {
  float u, v;                 ///< steps
  float slope_u, slope_v;     ///< steps a pixel
  float rest, base;           ///< steps, at the center of the reference pixel; base is whole
  float low, high;            ///< steps from base
  std::int16_t ref_u, ref_v;  ///< pixels
};

/// Pixels of an image. `left` is a multiple of 64: the bits of 64 pixels side by side become one
/// word of the grid.
struct PixelRect {
  int left = 0, bottom = 0, width = 0, height = 0;
};

/// A triangle that covers pixels.
struct SlabFacet {
  std::uint32_t vertex;                   ///< first of three
  std::int16_t first_slab, last_slab;     ///< that it meets
  std::int16_t left, right, bottom, top;  ///< pixels that it may cover, the last ones included
  bool along;                             ///< its normal points along the axis
};

/// What is drawn for both views of one axis. The image is (y, z), (x, z) or (x, y) for the axes x,
/// y and z. A face at depth d is in slab n, the number of voxel centers (slices) below d: 0 to
/// resolution. Seen along the axis it decides the slices below n, seen against it those from n on.
struct SlabPlan {
  int axis = 0;
  int resolution = 0;
  PixelRect image;                     ///< pixels that the mesh may cover
  int first_slab = 0, last_slab = -1;  ///< none if last < first
  int first_slice = 0;                 ///< of those drawn; multiple of 64
  int slice_groups = 0;                ///< of 128 slices each
  std::vector<SlabVertex> vertices;
  std::vector<SlabFacet> facets;
};

/// `resolution`: power of two, 16 to 2048. Triangles edge-on to the axis, and those between the
/// pixels, are left out.
SlabPlan plan_slabs(const LatticeMesh& mesh, int resolution, int axis);

}  // namespace gvbind
