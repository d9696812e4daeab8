#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "preview/text.h"

namespace gvbind::preview {
namespace {

/// Rows from the top; the highest of five bits is the leftmost dot.
using Glyph = std::array<std::uint8_t, letter_height>;

constexpr std::array<Glyph, 26> capitals = {{
    {0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001},
    {0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110},
    {0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110},
    {0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110},
    {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111},
    {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000},
    {0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111},
    {0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001},
    {0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100},
    {0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001},
    {0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111},
    {0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001},
    {0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001},
    {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110},
    {0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000},
    {0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101},
    {0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001},
    {0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110},
    {0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100},
    {0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110},
    {0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100},
    {0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001},
    {0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001},
    {0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111},
}};

constexpr std::array<Glyph, 10> digits = {{
    {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
    {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111},
    {0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110},
    {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
    {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
    {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
    {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
    {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
}};

constexpr std::string_view mark_names = "?.,:;-_+=/|()%#'";
constexpr std::array<Glyph, mark_names.size()> marks = {{
    {0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b00000, 0b00100},
    {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100},
    {0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b00100, 0b01000},
    {0b00000, 0b01100, 0b01100, 0b00000, 0b01100, 0b01100, 0b00000},
    {0b00000, 0b01100, 0b01100, 0b00000, 0b01100, 0b00100, 0b01000},
    {0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000},
    {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b11111},
    {0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000},
    {0b00000, 0b00000, 0b11111, 0b00000, 0b11111, 0b00000, 0b00000},
    {0b00000, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b00000},
    {0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100},
    {0b00010, 0b00100, 0b01000, 0b01000, 0b01000, 0b00100, 0b00010},
    {0b01000, 0b00100, 0b00010, 0b00010, 0b00010, 0b00100, 0b01000},
    {0b11000, 0b11001, 0b00010, 0b00100, 0b01000, 0b10011, 0b00011},
    {0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010},
    {0b00100, 0b00100, 0b01000, 0b00000, 0b00000, 0b00000, 0b00000},
}};

/// A continuation byte of UTF-8.
bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

Glyph glyph_of(char letter) {
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  if (letter >= 'A' && letter <= 'Z') return capitals[letter - 'A'];
  if (letter >= '0' && letter <= '9') return digits[letter - '0'];
  if (letter == ' ') return {};
  const std::size_t mark = mark_names.find(letter);
  return marks[mark == std::string_view::npos ? 0 : mark];
}

void fill_square(Image& image, int x, int y, int size, std::uint8_t gray) {
  for (int row = std::max(0, y); row < std::min(image.height, y + size); ++row)
    for (int column = std::max(0, x); column < std::min(image.width, x + size); ++column) {
      const auto pixel =
          image.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(row) * image.width + column);
      std::fill(pixel, pixel + 3, gray);
    }
}

}  // namespace

int text_width(std::string_view text) {
  const auto letters_in =
      text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
  return letters_in == 0 ? 0 : static_cast<int>(letters_in) * (letter_width + 1) - 1;
}

void draw_text(Image& image, std::string_view text, int x, int y, int size, std::uint8_t gray) {
  for (const char letter : text) {
    if (continues(letter)) continue;
    const Glyph glyph = glyph_of(letter);
    for (int row = 0; row < letter_height; ++row)
      for (int column = 0; column < letter_width; ++column)
        if ((glyph[row] >> (letter_width - 1 - column)) & 1)
          fill_square(image, x + column * size, y + row * size, size, gray);
    x += (letter_width + 1) * size;
  }
}

}  // namespace gvbind::preview
