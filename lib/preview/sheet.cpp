// Tested by tests/consumer/judge_file.cpp.

#include <algorithm>
#include <array>
#include <cmath>

#include "gvbind/preview.h"
#include "preview/colors.h"
#include "preview/joint_labels.h"
#include "preview/layout.h"
#include "preview/legend.h"
#include "preview/panel.h"
#include "preview/preview.h"
#include "preview/sheet_colors.h"

namespace gvbind::preview {

namespace {

constexpr double height_to_width = 0.75;
constexpr double panel_rim = 0.03;  ///< relative to the width, around each panel
constexpr double yaw = 35, pitch = 10;

/// Divides the image in proportion to the visible extents, with equal scale.
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

std::vector<Figure> posed_figures(const Scene& scene, const Figure& bind,
                                  const PreviewOptions& options) {
  if (!options.posed.empty()) {
    Figure figure = bind;
    figure.mesh.positions.clear();
    for (const std::vector<Eigen::Vector3d>& mesh : options.posed)
      figure.mesh.positions.insert(figure.mesh.positions.end(), mesh.begin(), mesh.end());
    figure.normals = smooth_normals(figure.mesh);
    return {figure};
  }
  if (!options.pose.empty()) return {posed_figure(scene, bind, options.pose)};
  return {posed_figure(scene, bind, BentPose::stride, options.bend_degrees),
          posed_figure(scene, bind, BentPose::crouch, options.bend_degrees)};
}

Panel labeled_panel(const std::string& label, const Scene& scene, const Figure& figure,
                    bool skeleton, const PreviewView& view) {
  Panel panel = panel_of(scene, figure, skeleton, view.yaw, view.pitch);
  panel.label = label;
  return panel;
}

std::vector<Panel> view_panels(const Scene& scene, const Figure& bind,
                               const PreviewOptions& options) {
  std::vector<PreviewView> views = options.views;
  if (views.empty()) views = {{"FRONT", 0, 0}, {"SIDE", 90, 0}, {"BACK", 180, 0}};
  std::vector<Panel> panels;
  for (const PreviewView& view : views)
    panels.push_back(labeled_panel(view.name, scene, bind, !options.textures, view));
  return panels;
}

std::vector<Panel> pose_panels(const Scene& scene, const std::vector<Figure>& posed,
                               const PreviewOptions& options) {
  const PreviewView from_left{"", 40, 10}, from_right{"", -35, 10};
  if (options.pose.empty() && options.posed.empty())
    return {labeled_panel("POSE 1", scene, posed[0], false, from_left),
            labeled_panel("POSE 2", scene, posed[1], false, from_right)};
  std::vector<PreviewView> views = options.views;
  if (views.empty()) views = {from_left, from_right};
  std::vector<Panel> panels;
  for (const PreviewView& view : views)
    panels.push_back(labeled_panel(options.pose_name + (view.name.empty() ? "" : " " + view.name),
                                   scene, posed[0], false, view));
  return panels;
}

}  // namespace

Image render_sheet(const Scene& scene, const PreviewOptions& options) {
  check_picture(options.width, options.bend_degrees);
  const Style style = style_of(options.width);
  const SheetColors colors = sheet_colors(scene, options);
  Figure bind = bind_figure(scene, options.textures);
  bind.mesh.colors = colors.vertices;
  const std::vector<Figure> posed = posed_figures(scene, bind, options);
  std::vector<Panel> views = view_panels(scene, bind, options);
  std::vector<Panel> poses = pose_panels(scene, posed, options);
  const int middle = lay_out_row(views, style, style.margin, false);
  const int below = lay_out_row(poses, style, middle, true);
  const std::vector<LegendEntry> entries = options.legend && options.joint < 0
                                               ? joint_legend(scene, colors.joints)
                                               : std::vector<LegendEntry>();
  const int bottom = below + (options.joint >= 0 ? line_height(style) + style.margin / 2
                                                 : legend_height(entries.size(), style));

  Image image = blank_image(options.width, bottom);
  for (const std::vector<Panel>* row : {&views, &poses})
    for (const Panel& p : *row) {
      draw_panel(p, scene, colors.joints, style.unit, image);
      write_label(p, style, image);
      if (options.names && p.skeleton)
        draw_joint_labels(joint_labels(p, scene, style), style, image);
    }
  if (options.joint >= 0) draw_heat_bar(scene.joints[options.joint].name, style, below, image);
  draw_legend(entries, style, below, image);
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

}  // namespace gvbind::preview
