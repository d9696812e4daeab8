#include <array>
#include <string>
#include <vector>

#include "preview/colors.h"
#include "preview/layout.h"
#include "preview/panel.h"
#include "preview/preview.h"

namespace gvbind {
namespace {

/// A figure in colors of another skin.
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

/// Cut at the end where it is wider than a panel.
std::string fitting(const std::string& name, const std::string& view, int columns,
                    const Style& style) {
  const int letters =
      (style.width / columns - 2 * style.margin) / ((letter_width + 1) * style.dot) -
      static_cast<int>(view.size()) - 1;
  std::string cut = name;
  while (!cut.empty() && text_width(cut) > letters * (letter_width + 1)) cut.pop_back();
  return cut.empty() ? view : cut + " " + view;
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
  std::array<Figure, 4> posed;
  for (const int pose : {0, 1}) {
    const auto bent = pose == 0 ? BentPose::stride : BentPose::crouch;
    posed[static_cast<std::size_t>(2 * pose)] =
        posed_figure(scene, mine, bent, options.bend_degrees);
    posed[static_cast<std::size_t>(2 * pose) + 1] =
        posed_figure(other, theirs, bent, options.bend_degrees);
  }

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
  std::vector<std::vector<Panel>> rows = {row_of_views("FRONT", 0), row_of_views("BACK", 180), {}};
  for (const std::size_t i : {0U, 1U, 2U, 3U})
    rows[2].push_back(panel(fitting(i % 2 == 0 ? comparison.name : comparison.other_name,
                                    i < 2 ? "POSE 1" : "POSE 2", 4, style),
                            posed[i], false, i < 2 ? 40 : -35, 10));

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

}  // namespace gvbind
