#pragma once

// Tested by tests/unit/preview/views_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "preview/preview.h"

namespace gvbind::preview {

/// The colors of an image, linear RGB.
struct SheetColors {
  std::vector<Eigen::Vector3f> joints;
  std::vector<Eigen::Vector3f> vertices;  ///< of all meshes, concatenated
};

/// According to options.joint and options.legend. Throws Error(usage) for an unknown joint.
SheetColors sheet_colors(const Scene& scene, const PreviewOptions& options);

}  // namespace gvbind::preview
