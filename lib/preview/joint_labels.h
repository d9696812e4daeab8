#pragma once

// Tested by tests/unit/preview/joint_labels_test.cpp.

#include <string>
#include <vector>

#include "preview/layout.h"
#include "preview/panel.h"

namespace gvbind {

/// A joint's name on a picture; pixels.
struct JointLabel {
  std::string text;  ///< without what stands before a colon
  int joint_x = 0, joint_y = 0;
  int x = 0, y = 0, width = 0, height = 0;  ///< the room that it takes
};

/// Names beside the joints that a panel shows, near them and beside one another; those that find
/// no room are left out, the last in the scene's order first. The panel is laid out.
std::vector<JointLabel> joint_labels(const Panel& panel, const Scene& scene, const Style& style);

/// Dark on a light rim, each tied to its joint by a line.
void draw_joint_labels(const std::vector<JointLabel>& labels, const Style& style, Image& image);

}  // namespace gvbind
