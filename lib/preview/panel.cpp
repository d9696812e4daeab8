#include "preview/panel.h"

#include <cmath>
#include <string>

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/skeleton_overlay.h"
#include "preview/skinning.h"

namespace gvbind {
namespace {

constexpr int samples_per_side = 3;
constexpr int narrowest = 64, widest = 8192;
const Eigen::Vector3f background_color(0.76F, 0.76F, 0.75F);

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

/// Averages the samples of each pixel, in linear light.
void resolve(const Canvas& canvas, const Panel& panel, Image& image) {
  static const SrgbTable encode;
  for (int y = 0; y < panel.height; ++y)
    for (int x = 0; x < panel.width; ++x) {
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      for (int dy = 0; dy < samples_per_side; ++dy)
        for (int dx = 0; dx < samples_per_side; ++dx)
          sum += canvas.color[canvas.at(x * samples_per_side + dx, y * samples_per_side + dy)]
                     .cwiseMin(1.0F);
      const int column = panel.x + x, row = panel.y + y;
      if (column >= image.width || row >= image.height) continue;
      const std::size_t pixel = 3 * (static_cast<std::size_t>(row) * image.width + column);
      for (int c = 0; c < 3; ++c)
        image.rgb[pixel + static_cast<std::size_t>(c)] =
            encode(sum[c] / static_cast<float>(samples_per_side * samples_per_side));
    }
}

}  // namespace

Figure bind_figure(const Scene& scene) {
  Figure figure;
  figure.mesh = drawn_mesh(scene);
  figure.normals = smooth_normals(figure.mesh);
  return figure;
}

Figure posed_figure(const Scene& scene, const Figure& bind, BentPose pose, double degrees) {
  Figure figure = bind;
  figure.mesh.positions =
      posed_positions(scene, pose_joints(scene.joints, bent_pose(scene, pose, degrees)));
  figure.normals = smooth_normals(figure.mesh);
  return figure;
}

Panel panel_of(const Scene& scene, const Figure& figure, bool skeleton, double yaw, double pitch) {
  Panel panel;
  panel.figure = &figure;
  panel.skeleton = skeleton;
  panel.camera.view = view_of(scene.units, yaw, pitch);
  const bool joints = skeleton || figure.mesh.triangles.empty();
  panel.extent =
      visible_extent(figure.mesh, joints ? std::span(scene.joints) : std::span<const SceneJoint>(),
                     panel.camera.view);
  return panel;
}

Image blank_image(int width, int height) {
  Image image{width, height, {}};
  const std::size_t pixels = static_cast<std::size_t>(width) * height;
  image.rgb.reserve(3 * pixels);
  const std::uint8_t bytes[] = {srgb_byte(background_color.x()), srgb_byte(background_color.y()),
                                srgb_byte(background_color.z())};
  for (std::size_t i = 0; i < pixels; ++i)
    image.rgb.insert(image.rgb.end(), std::begin(bytes), std::end(bytes));
  return image;
}

void draw_panel(const Panel& panel, const Scene& scene, std::span<const Eigen::Vector3f> colors,
                double unit, Image& image) {
  Canvas canvas(panel.width * samples_per_side, panel.height * samples_per_side, background_color);
  draw_mesh(canvas, panel.figure->mesh, panel.figure->normals, panel.camera, samples_per_side);
  if (panel.skeleton)
    draw_skeleton(canvas, scene.joints, colors, panel.camera, samples_per_side, unit);
  resolve(canvas, panel, image);
}

void check_picture(int width, double bend_degrees) {
  if (width < narrowest || width > widest)
    throw Error(ErrorKind::usage,
                "width of the preview: " + std::to_string(width) + " is not within 64 to 8192");
  if (!std::isfinite(bend_degrees))
    throw Error(ErrorKind::usage, "bend of the preview: not a number of degrees");
}

}  // namespace gvbind
