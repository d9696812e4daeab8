#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <cstdint>
#include <string_view>

#include "preview/preview.h"

namespace gvbind::preview {

/// Letters have 5 by 7 dots and are one dot apart.
constexpr int letter_width = 5, letter_height = 7;

/// Width of a line of text in dots; every UTF-8 character is one letter wide.
int text_width(std::string_view text);

/// Writes a line with the top left corner of the first letter at (x, y) pixels; dots are squares of
/// `size` pixels. Supports letters (drawn as capitals), digits and . , : ; - _ + = / | ( ) % # ';
/// other UTF-8 characters become question marks. Clipped to the image.
void draw_text(Image& image, std::string_view text, int x, int y, int size, std::uint8_t gray);

}  // namespace gvbind::preview
