// Tested by tests/consumer/judge_file.cpp.

#include <algorithm>
#include <array>
#include <cmath>

#include "gvbind/preview.h"
#include "preview/colors.h"
#include "preview/layout.h"
#include "preview/panel.h"
#include "preview/preview.h"

namespace gvbind {

namespace {

constexpr double height_to_width = 0.75;
constexpr double panel_rim = 0.03;  ///< of the width, around each panel
constexpr double yaw = 35, pitch = 10;

/// Halves of the image in the ratio of what is to be seen, at one scale.
void lay_out(std::array<Panel, 2>& panels, const Image& image) {
  const double margin = panel_rim * image.width;
  const double across = image.width - 3 * margin, down = image.height - 2 * margin;
  double total = 0.0, tall = 0.0;
  for (const Panel& panel : panels) {
    total += panel.extent.size().x();
    tall = std::max(tall, panel.extent.size().y());
  }
  double scale =
      std::min(total > 0.0 ? across / total : HUGE_VAL, tall > 0.0 ? down / tall : HUGE_VAL);
  if (!std::isfinite(scale)) scale = 1.0;
  const double first = (panels[0].extent.size().x() * scale) + (across - total * scale) / 2.0;
  const int middle =
      std::clamp(static_cast<int>(std::lround(1.5 * margin + first)), 1, image.width - 1);
  for (Panel& panel : panels) {
    const bool is_left = &panel == &panels[0];
    panel.x = is_left ? 0 : middle;
    panel.width = is_left ? middle : image.width - middle;
    panel.height = image.height;
    panel.camera.looks_at = panel.extent.center();
    panel.camera.scale = scale;
    panel.camera.center = {panel.width / 2.0, panel.height / 2.0};
  }
}

}  // namespace

Image render_sheet(const Scene& scene, const PreviewOptions& options) {
  check_picture(options.width, options.bend_degrees);
  const Figure bind = bind_figure(scene);
  const Figure first = posed_figure(scene, bind, BentPose::stride, options.bend_degrees);
  const Figure second = posed_figure(scene, bind, BentPose::crouch, options.bend_degrees);
  const auto panel = [&](const char* label, const Figure& figure, double yaw, double pitch) {
    Panel p = panel_of(scene, figure, &figure == &bind, yaw, pitch);
    p.label = label;
    return p;
  };
  std::vector<Panel> views = {panel("FRONT", bind, 0, 0), panel("SIDE", bind, 90, 0),
                              panel("BACK", bind, 180, 0)};
  std::vector<Panel> poses = {panel("POSE 1", first, 40, 10), panel("POSE 2", second, -35, 10)};
  const Style style = style_of(options.width);
  const int middle = lay_out_row(views, style, style.margin, false);
  const int bottom = lay_out_row(poses, style, middle, true);

  Image image = blank_image(options.width, bottom);
  const auto colors = joint_colors(scene.joints);
  for (const std::vector<Panel>* row : {&views, &poses})
    for (const Panel& p : *row) {
      draw_panel(p, scene, colors, style.unit, image);
      write_label(p, style, image);
    }
  return image;
}

Image render_card(const Scene& scene, const CardOptions& options) {
  check_picture(options.width, options.bend_degrees);
  const Figure bind = bind_figure(scene);
  const Figure bent = posed_figure(scene, bind, BentPose::stride, options.bend_degrees);
  std::array<Panel, 2> panels = {panel_of(scene, bind, false, yaw, pitch),
                                 panel_of(scene, bent, false, yaw, pitch)};
  Image image =
      blank_image(options.width, static_cast<int>(std::lround(height_to_width * options.width)));
  lay_out(panels, image);
  const auto colors = joint_colors(scene.joints);
  for (const Panel& panel : panels) draw_panel(panel, scene, colors, options.width / 1200.0, image);
  return image;
}

void draw_preview(const Asset& asset, const std::filesystem::path& png, int width) {
  if (asset.scene().meshes.empty()) throw Error(ErrorKind::cannot_bind, "there is no mesh to draw");
  PreviewOptions options;
  options.width = width;
  write_png(render_sheet(asset.scene(), options), png);
}

}  // namespace gvbind
