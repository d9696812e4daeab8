#pragma once

// Tested by tests/unit/preview/joint_labels_test.cpp.

#include <string>
#include <vector>

#include "preview/layout.h"
#include "preview/panel.h"

namespace gvbind::preview {

/// A joint's name in an image; pixels.
struct JointLabel {
  std::string text;  ///< without namespace (text before a colon)
  int joint_x = 0, joint_y = 0;
  int x = 0, y = 0, width = 0, height = 0;  ///< occupied rectangle
};

/// Non-overlapping names next to the visible joints of a panel. Names without room are dropped, in
/// the order of the scene. The panel must have a layout.
std::vector<JointLabel> joint_labels(const Panel& panel, const Scene& scene, const Style& style);

/// Dark on a light outline, with a line to the joint.
void draw_joint_labels(const std::vector<JointLabel>& labels, const Style& style, Image& image);

}  // namespace gvbind::preview
