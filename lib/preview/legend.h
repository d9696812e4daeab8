#pragma once

// Tested by tests/unit/preview/views_test.cpp.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "preview/layout.h"
#include "preview/preview.h"

namespace gvbind {

struct LegendEntry {
  Eigen::Vector3f color;  ///< linear RGB
  std::string name;
};

/// Joints that own weight, in their order; of more than a thousand the first.
std::vector<LegendEntry> joint_legend(const Scene& scene, std::span<const Eigen::Vector3f> colors);

/// Pixels that the entries take in columns.
int legend_height(std::size_t entries, const Style& style);

/// Names beside squares of their colors, down the columns from `top` on. Names that are too long
/// lose their beginning, since ends tell joints apart.
void draw_legend(std::span<const LegendEntry> entries, const Style& style, int top, Image& image);

/// The colors from 0 to 1 as a bar with its ends named.
void draw_heat_bar(const std::string& name, const Style& style, int top, Image& image);

}  // namespace gvbind
