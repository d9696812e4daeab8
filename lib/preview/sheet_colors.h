#pragma once

// Tested by tests/unit/preview/views_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "preview/preview.h"

namespace gvbind {

/// The colors of a picture, linear RGB.
struct SheetColors {
  std::vector<Eigen::Vector3f> joints;
  std::vector<Eigen::Vector3f> vertices;  ///< of all meshes, one after the other
};

/// As options.joint and options.legend ask. Throws Error(usage) for a joint that is not there.
SheetColors sheet_colors(const Scene& scene, const PreviewOptions& options);

}  // namespace gvbind
