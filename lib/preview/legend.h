#pragma once

// Tested by tests/unit/preview/views_test.cpp.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "preview/layout.h"
#include "preview/preview.h"

namespace gvbind::preview {

struct LegendEntry {
  Eigen::Vector3f color;  ///< linear RGB
  std::string name;
};

/// Joints with weight, in order; at most the first thousand.
std::vector<LegendEntry> joint_legend(const Scene& scene, std::span<const Eigen::Vector3f> colors);

/// Height of the entries in columns, pixels.
int legend_height(std::size_t entries, const Style& style);

/// Names with color squares, in columns from `top` down. Long names lose their beginning, because
/// the ends of joint names differ.
void draw_legend(std::span<const LegendEntry> entries, const Style& style, int top, Image& image);

/// The colors from 0 to 1 as a bar with labeled ends.
void draw_heat_bar(const std::string& name, const Style& style, int top, Image& image);

}  // namespace gvbind::preview
