#include "preview/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gvbind::preview {
namespace {

constexpr double tallest_row = 0.6;  ///< relative to the sheet's width
constexpr std::uint8_t label_gray = 70;

}  // namespace

Style style_of(int width) {
  const double unit = width / 1200.0;
  return {width, static_cast<int>(std::lround(24 * unit)),
          std::max(1, static_cast<int>(std::lround(2 * unit))), unit};
}

int lay_out_row(std::span<Panel> row, const Style& style, int top, bool equal_widths) {
  const auto count = static_cast<int>(row.size());
  const int room = style.width - (count + 1) * style.margin;
  const int label = letter_height * style.dot + style.margin / 2;
  double total = 0.0, tall = 0.0, wide = 0.0;
  for (const Panel& panel : row) {
    total += panel.extent.size().x();
    wide = std::max(wide, panel.extent.size().x());
    tall = std::max(tall, panel.extent.size().y());
  }
  if (equal_widths) total = wide * count;
  const double rim = 8 * style.unit;  // room for joints at the edge
  const double across = std::max(1.0, room - 2 * rim * count);
  const double down = std::max(1.0, tallest_row * style.width - 2 * rim);
  double scale =
      std::min(total > 0.0 ? across / total : HUGE_VAL, tall > 0.0 ? down / tall : HUGE_VAL);
  if (!std::isfinite(scale)) scale = 1.0;

  const int height = std::max(label, static_cast<int>(std::ceil(tall * scale + 2 * rim)));
  const double spare = (across - total * scale) / count;
  double x = style.margin;
  for (Panel& panel : row) {
    const double own = equal_widths ? wide : panel.extent.size().x();
    const double width = own * scale + spare + 2 * rim;
    panel.x = static_cast<int>(std::lround(x));
    panel.width = std::max(1, static_cast<int>(std::lround(x + width)) - panel.x);
    panel.y = top + label;
    panel.height = height;
    panel.camera.looks_at = panel.extent.center();
    panel.camera.scale = scale;
    panel.camera.center = {panel.width / 2.0, height / 2.0};
    x += width + style.margin;
  }
  return top + label + height + style.margin;
}

void write_label(const Panel& panel, const Style& style, Image& image) {
  draw_text(image, panel.label, panel.x + (panel.width - text_width(panel.label) * style.dot) / 2,
            panel.y - letter_height * style.dot - style.margin / 4, style.dot, label_gray);
}

void write_line(const std::string& text, const Style& style, int top, Image& image) {
  draw_text(image, text, style.margin, top, style.dot, label_gray);
}

int line_height(const Style& style) { return letter_height * style.dot + style.margin / 2; }

}  // namespace gvbind::preview
