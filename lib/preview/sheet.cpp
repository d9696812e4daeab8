#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/drawn_mesh.h"
#include "preview/font.h"
#include "preview/poses.h"
#include "preview/preview.h"
#include "preview/skeleton_overlay.h"
#include "preview/skinning.h"

namespace gvbind {
namespace {

constexpr int samples = 3;
constexpr int narrowest = 64, widest = 8192;
constexpr double tallest_row = 0.6;  ///< of the sheet's width
const Eigen::Vector3f sheet_color(0.76F, 0.76F, 0.75F);
constexpr std::uint8_t label_gray = 70;

/// One view of the sheet.
struct Panel {
  const char* label;
  const DrawnMesh* mesh;
  const std::vector<Eigen::Vector3f>* normals;
  bool skeleton;
  ViewExtent extent;
  Camera camera;
  int x = 0, y = 0, width = 0, height = 0;  ///< in the image, pixels
};

struct Style {
  int width, margin, dot;  ///< pixels
  double unit;             ///< of a sheet 1200 pixels wide
};

Style style_of(int width) {
  const double unit = width / 1200.0;
  return {width, static_cast<int>(std::lround(24 * unit)),
          std::max(1, static_cast<int>(std::lround(2 * unit))), unit};
}

/// What is to be seen: the mesh, with the joints that lie in it or near. Far ones (targets of
/// inverse kinematics) do not shrink the picture.
ViewExtent visible_extent(const DrawnMesh& mesh, std::span<const SceneJoint> joints,
                          const ViewRotation& view) {
  ViewExtent extent;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) {
      const Eigen::Vector3d& p = mesh.positions[v];
      if (p.allFinite()) extent.include(Eigen::Vector2d((view * p).head<2>()));
    }
  const bool alone = extent.empty();
  const Eigen::Vector2d reach = 0.15 * extent.size();
  const ViewExtent of_mesh = extent;
  for (const SceneJoint& joint : joints) {
    const Eigen::Vector2d p = (view * joint.bind.translation()).head<2>();
    const bool near = (p.array() >= (of_mesh.low - reach).array()).all() &&
                      (p.array() <= (of_mesh.high + reach).array()).all();
    if (p.allFinite() && (alone || near)) extent.include(p);
  }
  return extent;
}

/// Places a row's panels beside one another at one scale, from `top` down; returns its end.
int lay_out(std::span<Panel> row, const Style& style, int top, bool equal_widths) {
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
  const double rim = 8 * style.unit;  // dots of joints at the very edge
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

/// Averages the samples of each pixel, in linear light.
void resolve(const Canvas& canvas, const Panel& panel, Image& image) {
  static const SrgbTable encode;
  for (int y = 0; y < panel.height; ++y)
    for (int x = 0; x < panel.width; ++x) {
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      for (int dy = 0; dy < samples; ++dy)
        for (int dx = 0; dx < samples; ++dx)
          sum += canvas.color[canvas.at(x * samples + dx, y * samples + dy)].cwiseMin(1.0F);
      const int column = panel.x + x, row = panel.y + y;
      if (column >= image.width || row >= image.height) continue;
      const std::size_t pixel = 3 * (static_cast<std::size_t>(row) * image.width + column);
      for (int c = 0; c < 3; ++c)
        image.rgb[pixel + static_cast<std::size_t>(c)] =
            encode(sum[c] / static_cast<float>(samples * samples));
    }
}

void draw_panel(const Panel& panel, const Scene& scene, std::span<const Eigen::Vector3f> colors,
                const Style& style, Image& image) {
  Canvas canvas(panel.width * samples, panel.height * samples, sheet_color);
  draw_mesh(canvas, *panel.mesh, *panel.normals, panel.camera, samples);
  if (panel.skeleton)
    draw_skeleton(canvas, scene.joints, colors, panel.camera, samples, style.unit);
  resolve(canvas, panel, image);
  draw_text(image, panel.label, panel.x + (panel.width - text_width(panel.label) * style.dot) / 2,
            panel.y - letter_height * style.dot - style.margin / 4, style.dot, label_gray);
}

struct Figure {
  DrawnMesh mesh;
  std::vector<Eigen::Vector3f> normals;
};

Figure posed_figure(const Scene& scene, const Figure& bind, BentPose pose, double degrees) {
  Figure figure = bind;
  figure.mesh.positions =
      posed_positions(scene, pose_joints(scene.joints, bent_pose(scene, pose, degrees)));
  figure.normals = smooth_normals(figure.mesh);
  return figure;
}

}  // namespace

Image render_sheet(const Scene& scene, const PreviewOptions& options) {
  if (options.width < narrowest || options.width > widest)
    throw Error(ErrorKind::usage, "width of the preview: " + std::to_string(options.width) +
                                      " is not within 64 to 8192");
  if (!std::isfinite(options.bend_degrees))
    throw Error(ErrorKind::usage, "bend of the preview: not a number of degrees");
  Figure bind;
  bind.mesh = drawn_mesh(scene);
  bind.normals = smooth_normals(bind.mesh);
  const Figure first = posed_figure(scene, bind, BentPose::stride, options.bend_degrees);
  const Figure second = posed_figure(scene, bind, BentPose::crouch, options.bend_degrees);

  const auto panel = [&](const char* label, const Figure& figure, double yaw, double pitch) {
    Panel p{label, &figure.mesh, &figure.normals, &figure == &bind, {}, {}};
    p.camera.view = view_of(scene.units, yaw, pitch);
    p.extent = visible_extent(figure.mesh, scene.joints, p.camera.view);
    return p;
  };
  std::vector<Panel> views = {panel("FRONT", bind, 0, 0), panel("SIDE", bind, 90, 0),
                              panel("BACK", bind, 180, 0)};
  std::vector<Panel> poses = {panel("POSE 1", first, 40, 10), panel("POSE 2", second, -35, 10)};
  const Style style = style_of(options.width);
  const int middle = lay_out(views, style, style.margin, false);
  const int bottom = lay_out(poses, style, middle, true);

  Image image{options.width, bottom, {}};
  const std::array<std::uint8_t, 3> background = {
      srgb_byte(sheet_color.x()), srgb_byte(sheet_color.y()), srgb_byte(sheet_color.z())};
  const std::size_t pixels = static_cast<std::size_t>(image.width) * image.height;
  image.rgb.reserve(3 * pixels);
  for (std::size_t i = 0; i < 3 * pixels; ++i) image.rgb.push_back(background[i % 3]);
  const auto colors = joint_colors(scene.joints);
  for (const std::vector<Panel>* row : {&views, &poses})
    for (const Panel& p : *row) draw_panel(p, scene, colors, style, image);
  return image;
}

}  // namespace gvbind
