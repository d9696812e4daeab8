#pragma once

namespace gvbind {

/// What voxelizes the mesh.
enum class Device {
  automatic,  ///< a hardware EGL device where one may save more time than it takes, else the CPU
  egl,        ///< any EGL device, software drivers too
  cpu,
};

/// The six views of section 5.1, named by the side they look from.
enum ViewBit : unsigned {
  view_plus_x = 1u << 0,
  view_minus_x = 1u << 1,
  view_plus_y = 1u << 2,
  view_minus_y = 1u << 3,
  view_plus_z = 1u << 4,
  view_minus_z = 1u << 5,
  all_views = 63u,
};

}  // namespace gvbind
