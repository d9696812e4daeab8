#pragma once

// Tested by tests/preview/sheet_test.cpp.

#include <span>

#include "assets/scene.h"
#include "preview/camera.h"
#include "preview/raster.h"

namespace gvbind {

/// The joints as dots in their colors, each tied to its parent by a line that narrows toward the
/// child. What is nearer to the viewer is larger, darker and on top. A joint that owns no weight
/// is a small gray dot. `unit` is the pixels' size relative to a sheet of 1200 pixels.
void draw_skeleton(Canvas& canvas, std::span<const SceneJoint> joints,
                   std::span<const Eigen::Vector3f> colors, const Camera& camera, int samples,
                   double unit);

}  // namespace gvbind
