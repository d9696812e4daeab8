// Tested by tests/unit/preview/sweep_test.cpp.

#include <algorithm>
#include <vector>

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/layout.h"
#include "preview/panel.h"
#include "preview/preview.h"

namespace gvbind::preview {
namespace {

constexpr std::size_t pictures_per_row = 5;
constexpr double sweep_yaw = 40, sweep_pitch = 10;

}  // namespace

Image render_sweep(std::span<const SweepPicture> pictures, const PreviewOptions& options) {
  check_picture(options.width, options.bend_degrees);
  if (pictures.empty()) throw Error(ErrorKind::usage, "a sweep of no pictures");
  const Style style = style_of(options.width);
  std::vector<Figure> figures;
  figures.reserve(pictures.size());
  for (const SweepPicture& picture : pictures)
    figures.push_back(posed_figure(picture.scene, bind_figure(picture.scene), BentPose::stride,
                                   options.bend_degrees));

  std::vector<std::vector<Panel>> rows;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (i % pictures_per_row == 0) rows.emplace_back();
    rows.back().push_back(panel_of(pictures[i].scene, figures[i], false, sweep_yaw, sweep_pitch));
    rows.back().back().label = pictures[i].label;
  }
  // Equal scale in all rows: the last row is padded with empty panels.
  std::vector<Panel> blank(rows.size() > 1 ? pictures_per_row - rows.back().size() : 0,
                           rows.front().front());
  rows.back().insert(rows.back().end(), blank.begin(), blank.end());
  int bottom = style.margin;
  for (std::vector<Panel>& row : rows) bottom = lay_out_row(row, style, bottom, true);
  rows.back().resize(rows.back().size() - blank.size());

  Image image = blank_image(options.width, bottom);
  const auto colors = joint_colors(pictures.front().scene.joints);
  std::size_t at = 0;
  for (const std::vector<Panel>& row : rows)
    for (const Panel& panel : row) {
      draw_panel(panel, pictures[at++].scene, colors, style.unit, image);
      write_label(panel, style, image);
    }
  return image;
}

}  // namespace gvbind::preview
