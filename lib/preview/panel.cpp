#include "preview/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/poses.h"

namespace gvbind::preview {

namespace {

const Eigen::Vector3f white = Eigen::Vector3f::Constant(0.95F);
const Eigen::Vector3f near_ink(0.010F, 0.011F, 0.016F), far_ink(0.10F, 0.105F, 0.12F);
const Eigen::Vector3f idle_color = Eigen::Vector3f::Constant(0.55F);

struct Dot {
  Eigen::Vector2f position;
  float nearness;  ///< 0 farthest, 1 nearest
  float radius;    ///< samples
  bool visible;
};

/// Distance to the nearest joint at another position.
double nearest_joint(std::span<const SceneJoint> joints, std::size_t j) {
  double nearest = HUGE_VAL;
  for (const SceneJoint& other : joints) {
    const double distance = (other.bind.translation() - joints[j].bind.translation()).norm();
    if (distance > 0.0) nearest = std::min(nearest, distance);
  }
  return nearest;
}

std::vector<Dot> project(std::span<const SceneJoint> joints, const ViewCamera& camera, int samples,
                         double unit, float smallest_span) {
  std::vector<Dot> dots(joints.size());
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Eigen::Vector3f seen =
        (camera.project(joints[j].bind.translation()) * samples).cast<float>();
    dots[j] = {seen.head<2>(), seen.z(), 0.0F, seen.allFinite()};
    if (!dots[j].visible) continue;
    low = std::min(low, seen.z());
    high = std::max(high, seen.z());
  }
  // For joints at nearly equal depths, rounding errors must not affect sizes.
  const float span = std::max(high - low, smallest_span);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Dot& dot = dots[j];
    dot.nearness = span > 0.0F ? 1.0F - (high - dot.nearness) / span : 1.0F;
    const float size = (joints[j].deforms ? 3.1F : 2.0F) * (0.75F + 0.5F * dot.nearness);
    dot.radius = size * static_cast<float>(unit * samples);
  }
  // In hands and faces, dots would overlap, so they shrink to at most half. For very large numbers
  // of joints all shrink, without the quadratic search.
  constexpr std::size_t max_searched = 4096;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const double nearest = joints.size() > max_searched ? 0.0 : nearest_joint(joints, j);
    const auto apart = static_cast<float>(0.45 * nearest * camera.scale * samples);
    dots[j].radius = std::clamp(apart, 0.5F * dots[j].radius, dots[j].radius);
  }
  return dots;
}

Eigen::Vector3f ink(float nearness) { return far_ink + nearness * (near_ink - far_ink); }

constexpr int samples_per_side = 3;
constexpr int narrowest = 64, widest = 8192;
const Eigen::Vector3f background_color(0.76F, 0.76F, 0.75F);

/// The visible part: the mesh, and joints in or near it. Distant joints (targets of inverse
/// kinematics) do not shrink the image.
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

/// Averages the samples of each pixel in linear light.
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

/// Joints as colored dots with lines to their parents that narrow toward the child. Closer ones are
/// larger, darker and on top. Joints without weight are small gray dots. `unit`: pixel size
/// relative to a sheet of 1200 pixels.
void draw_skeleton(Canvas& canvas, std::span<const SceneJoint> joints,
                   std::span<const Eigen::Vector3f> colors, const ViewCamera& camera, int samples,
                   double unit) {
  const std::vector<Dot> dots =
      project(joints, camera, samples, unit, 0.1F * static_cast<float>(canvas.height));
  std::vector<std::size_t> order(joints.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t j) { return !dots[j].visible; });
  std::ranges::stable_sort(order, {}, [&](std::size_t j) { return dots[j].nearness; });
  const float rim = static_cast<float>(unit * samples);

  for (const bool halo : {true, false})
    for (const std::size_t j : order) {
      if (joints[j].parent < 0) continue;
      const Dot& child = dots[j];
      const Dot& parent = dots[joints[j].parent];
      if (!parent.visible) continue;
      const float wide = 0.5F * parent.radius, narrow = 0.7F * rim;
      if (halo)
        draw_stroke(canvas, parent.position, wide + 0.8F * rim, child.position, narrow + 0.8F * rim,
                    white, 0.55F);
      else
        draw_stroke(canvas, parent.position, wide, child.position, narrow,
                    ink(0.5F * (child.nearness + parent.nearness)));
    }
  for (const std::size_t j : order) {
    const Dot& dot = dots[j];
    const auto disc = [&](float radius, const Eigen::Vector3f& color) {
      draw_stroke(canvas, dot.position, radius, dot.position, radius, color);
    };
    disc(dot.radius + 1.7F * rim, white);
    disc(dot.radius + 0.9F * rim, ink(dot.nearness));
    disc(dot.radius, joints[j].deforms ? colors[j] : idle_color);
  }
}

}  // namespace

Figure bind_figure(const Scene& scene, const TextureSet* textures) {
  Figure figure;
  figure.mesh = drawn_mesh(scene, textures);
  figure.normals = smooth_normals(figure.mesh);
  return figure;
}

Figure posed_figure(const Scene& scene, const Figure& bind, std::span<const Eigen::Affine3d> pose) {
  Figure figure = bind;
  figure.mesh.positions = posed_positions(scene, pose);
  figure.normals = smooth_normals(figure.mesh);
  return figure;
}

Figure posed_figure(const Scene& scene, const Figure& bind, BentPose pose, double degrees) {
  return posed_figure(scene, bind, pose_joints(scene.joints, bent_pose(scene, pose, degrees)));
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

}  // namespace gvbind::preview
