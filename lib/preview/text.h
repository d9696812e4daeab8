#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <cstdint>
#include <string_view>

#include "preview/preview.h"

namespace gvbind {

/// Letters are 5 by 7 dots, one dot apart.
constexpr int letter_width = 5, letter_height = 7;

/// Width of a line of text in dots; a character of several bytes is one letter wide.
int text_width(std::string_view text);

/// Writes a line with the first letter's top left corner at (x, y) pixels; a dot is `size` pixels a
/// side. There are letters, written as capitals, digits and . , : ; - _ + = / | ( ) % # '; any
/// other character of UTF-8 is a question mark. What lies outside the image is left out.
void draw_text(Image& image, std::string_view text, int x, int y, int size, std::uint8_t gray);

}  // namespace gvbind
