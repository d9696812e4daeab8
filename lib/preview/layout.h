#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <span>
#include <string>

#include "preview/panel.h"
#include "preview/preview.h"

namespace gvbind {

/// Sizes on a sheet, which grow with its width.
struct Style {
  int width, margin, dot;  ///< pixels
  double unit;             ///< of a sheet 1200 pixels wide
};

Style style_of(int width);

/// Places a row's panels beside one another at one scale, from `top` down; returns its end.
int lay_out_row(std::span<Panel> row, const Style& style, int top, bool equal_widths);

/// The panel's label, above it.
void write_label(const Panel& panel, const Style& style, Image& image);

/// A line of text from the left margin on.
void write_line(const std::string& text, const Style& style, int top, Image& image);
int line_height(const Style& style);

}  // namespace gvbind
