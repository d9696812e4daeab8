#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <span>
#include <string>

#include "preview/panel.h"
#include "preview/preview.h"

namespace gvbind::preview {

/// Sizes on a sheet, proportional to its width.
struct Style {
  int width, margin, dot;  ///< pixels
  double unit;             ///< one pixel of a sheet 1200 pixels wide
};

Style style_of(int width);

/// Places the panels of a row side by side with equal scale, from `top` down; returns the row's
/// end.
int lay_out_row(std::span<Panel> row, const Style& style, int top, bool equal_widths);

/// Writes the panel's label above it.
void write_label(const Panel& panel, const Style& style, Image& image);

/// A line of text starting at the left margin.
void write_line(const std::string& text, const Style& style, int top, Image& image);
int line_height(const Style& style);

}  // namespace gvbind::preview
