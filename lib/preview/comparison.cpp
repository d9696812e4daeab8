#include <string>
#include <utility>
#include <vector>

#include "preview/colors.h"
#include "preview/layout.h"
#include "preview/panel.h"
#include "preview/preview.h"

namespace gvbind::preview {
namespace {

/// A figure with the colors of another skin.
Figure recolored(Figure figure, const Scene& scene, std::span<const Eigen::Vector3f> colors) {
  figure.mesh.colors.clear();
  for (const SceneMesh& mesh : scene.meshes) {
    const auto own = weight_colors(mesh, colors);
    figure.mesh.colors.insert(figure.mesh.colors.end(), own.begin(), own.end());
  }
  return figure;
}

Figure difference_figure(Figure figure, const Scene& scene,
                         const std::vector<std::vector<float>>& apart) {
  std::size_t at = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m)
    for (std::size_t v = 0; v < scene.meshes[m].positions.size(); ++v, ++at)
      figure.mesh.colors[at] = scene.meshes[m].weights.empty()           ? no_skin_color
                               : m < apart.size() && v < apart[m].size() ? heat_color(apart[m][v])
                                                                         : heat_color(0.0);
  return figure;
}

/// Truncated if wider than a panel.
std::string fitting(const std::string& name, const std::string& view, int columns,
                    const Style& style) {
  const int letters =
      (style.width / columns - 2 * style.margin) / ((letter_width + 1) * style.dot) -
      static_cast<int>(view.size()) - 1;
  std::string cut = name;
  while (!cut.empty() && text_width(cut) > letters * (letter_width + 1)) cut.pop_back();
  return cut.empty() ? view : cut + " " + view;
}

struct NamedFigure {
  std::string name;
  Figure figure;
};

/// One pose of both skins, and of the target if given.
std::vector<NamedFigure> posed_figures(const Scene& scene, const Scene& other, const Figure& mine,
                                       const Figure& theirs, const Comparison& comparison,
                                       BentPose bent, double degrees) {
  const auto pose = pose_joints(scene.joints, bent_pose(scene, bent, degrees));
  std::vector<NamedFigure> figures = {
      {comparison.name, posed_figure(scene, mine, pose)},
      {comparison.other_name, posed_figure(other, theirs, bent, degrees)}};
  if (comparison.target) {
    Figure target = mine;
    target.mesh.positions = comparison.target(pose);
    target.normals = smooth_normals(target.mesh);
    figures.push_back({comparison.target_name, std::move(target)});
  }
  return figures;
}

}  // namespace

Image render_comparison(const Scene& scene, const Scene& other, const Comparison& comparison,
                        const PreviewOptions& options) {
  check_picture(options.width, options.bend_degrees);
  const Style style = style_of(options.width);
  const auto colors = joint_colors(scene.joints);
  const Figure mine = bind_figure(scene);
  const Figure theirs = recolored(mine, other, colors);
  const Figure apart = difference_figure(mine, scene, comparison.apart);
  const std::vector<NamedFigure> poses[] = {
      posed_figures(scene, other, mine, theirs, comparison, BentPose::stride, options.bend_degrees),
      posed_figures(scene, other, mine, theirs, comparison, BentPose::crouch,
                    options.bend_degrees)};

  const auto panel = [&](const std::string& label, const Figure& figure, bool joints, double yaw,
                         double pitch) {
    Panel p = panel_of(scene, figure, joints, yaw, pitch);
    p.label = label;
    return p;
  };
  const auto row_of_views = [&](const std::string& view, double yaw) {
    return std::vector<Panel>{
        panel(fitting(comparison.name, view, 3, style), mine, true, yaw, 0),
        panel(fitting(comparison.other_name, view, 3, style), theirs, true, yaw, 0),
        panel("DIFFERENCE " + view, apart, false, yaw, 0)};
  };
  std::vector<std::vector<Panel>> rows = {row_of_views("FRONT", 0), row_of_views("BACK", 180)};
  // Two figures per pose share a row; three have their own.
  const int columns = comparison.target ? 3 : 4;
  for (const int i : {0, 1}) {
    if (i == 0 || comparison.target) rows.emplace_back();
    for (const NamedFigure& posed : poses[i])
      rows.back().push_back(panel(fitting(posed.name, i == 0 ? "POSE 1" : "POSE 2", columns, style),
                                  posed.figure, false, i == 0 ? 40 : -35, 10));
  }

  int bottom = style.margin + static_cast<int>(comparison.lines.size()) * line_height(style);
  for (std::vector<Panel>& row : rows) bottom = lay_out_row(row, style, bottom, true);
  Image image = blank_image(options.width, bottom);
  for (std::size_t i = 0; i < comparison.lines.size(); ++i)
    write_line(comparison.lines[i], style, style.margin + static_cast<int>(i) * line_height(style),
               image);
  for (const std::vector<Panel>& row : rows)
    for (const Panel& p : row) {
      draw_panel(p, scene, colors, style.unit, image);
      write_label(p, style, image);
    }
  return image;
}

}  // namespace gvbind::preview
