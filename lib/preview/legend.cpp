#include "preview/legend.h"

#include <algorithm>

#include "preview/colors.h"
#include "preview/text.h"

namespace gvbind::preview {
namespace {

constexpr std::uint8_t legend_gray = 50;
constexpr std::size_t max_entries = 1000;

void fill_rectangle(Image& image, int x, int y, int width, int height,
                    const Eigen::Vector3f& color) {
  const std::uint8_t bytes[] = {srgb_byte(color.x()), srgb_byte(color.y()), srgb_byte(color.z())};
  for (int row = std::max(0, y); row < std::min(image.height, y + height); ++row)
    for (int column = std::max(0, x); column < std::min(image.width, x + width); ++column)
      std::copy(std::begin(bytes), std::end(bytes),
                image.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(row) * image.width + column));
}

/// About 25 letters per column.
int column_count(const Style& style) {
  return std::max(1, (style.width - style.margin) / (25 * (letter_width + 1) * style.dot));
}

int row_count(std::size_t entries, const Style& style) {
  const auto columns = static_cast<std::size_t>(column_count(style));
  return static_cast<int>((entries + columns - 1) / columns);
}

std::string end_of_name(const std::string& name, int letters) {
  std::size_t begin = 0;
  const auto begins_letter = [&](std::size_t i) {
    return (static_cast<unsigned char>(name[i]) & 0xC0U) != 0x80U;
  };
  const int room = letters * (letter_width + 1);
  if (text_width(name) <= room) return name;
  const int marked = room - 2 * (letter_width + 1);
  while (begin < name.size() && (!begins_letter(begin) || text_width(name.substr(begin)) > marked))
    ++begin;
  return ".." + name.substr(begin);
}

}  // namespace

std::vector<LegendEntry> joint_legend(const Scene& scene, std::span<const Eigen::Vector3f> colors) {
  std::vector<bool> owns(scene.joints.size(), false);
  for (const SceneMesh& mesh : scene.meshes)
    for (std::size_t k = 0; k < mesh.weights.joint.size(); ++k)
      if (mesh.weights.weight[k] > 0.0F && mesh.weights.joint[k] < owns.size())
        owns[mesh.weights.joint[k]] = true;
  std::vector<LegendEntry> entries;
  const auto total = static_cast<std::size_t>(std::ranges::count(owns, true));
  for (std::size_t j = 0; j < owns.size() && entries.size() < max_entries; ++j)
    if (owns[j]) entries.push_back({colors[j], scene.joints[j].name});
  if (total > entries.size())
    entries.push_back({no_skin_color, "and " + std::to_string(total - entries.size()) + " more"});
  return entries;
}

int legend_height(std::size_t entries, const Style& style) {
  return row_count(entries, style) * line_height(style) + (entries > 0 ? style.margin : 0);
}

void draw_legend(std::span<const LegendEntry> entries, const Style& style, int top, Image& image) {
  const int rows = row_count(entries.size(), style);
  const int width = (style.width - style.margin) / column_count(style);
  const int square = letter_height * style.dot, gap = 2 * style.dot;
  const int letters =
      (width - square - 2 * gap - style.margin / 2) / ((letter_width + 1) * style.dot);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const int column = static_cast<int>(i) / rows, row = static_cast<int>(i) % rows;
    const int x = style.margin + column * width, y = top + row * line_height(style);
    fill_rectangle(image, x, y - gap / 2, square + gap, square + gap, entries[i].color);
    draw_text(image, end_of_name(entries[i].name, letters), x + square + 3 * gap, y, style.dot,
              legend_gray);
  }
}

void draw_heat_bar(const std::string& name, const Style& style, int top, Image& image) {
  const int height = letter_height * style.dot, width = std::max(1, style.width / 6);
  int x = style.margin;
  const auto write = [&](const std::string& text) {
    draw_text(image, text, x, top, style.dot, legend_gray);
    x += (text_width(text) + letter_width) * style.dot;
  };
  write(name);
  write("0");
  for (int i = 0; i < width; ++i)
    fill_rectangle(image, x + i, top, 1, height, heat_color((i + 0.5) / width));
  x += width + letter_width * style.dot;
  write("1");
}

}  // namespace gvbind::preview
