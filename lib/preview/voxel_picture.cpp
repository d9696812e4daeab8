#include "preview/voxel_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "preview/panel.h"

namespace gvbind::preview {

namespace {

constexpr double voxel_yaw = 35, voxel_pitch = 15;
constexpr double picture_rim = 0.03;  ///< relative to the width, around each panel
constexpr double most_height = 1.25;  ///< relative to the width

Eigen::Vector3f linear_color(VoxelKind kind) {
  Eigen::Vector3f color;
  const auto bytes = voxel_color(kind);
  for (int k = 0; k < 3; ++k) color[k] = std::pow(static_cast<float>(bytes[k]) / 255.0F, 2.2F);
  return color;
}

/// Faces that point toward the viewer.
void add_faces(const VoxelFaces& faces, const ViewRotation& view, Figure& figure) {
  for (const VoxelFaces::Face& face : faces.faces) {
    const Eigen::Vector3f normal = face.normal.cast<float>();
    if ((view * face.normal.cast<double>()).z() <= 0.0) continue;
    const auto first = static_cast<std::uint32_t>(figure.mesh.positions.size());
    for (const std::uint32_t corner : face.corner) {
      figure.mesh.positions.push_back(faces.corners[corner]);
      figure.mesh.colors.push_back(linear_color(face.kind));
      figure.normals.push_back(normal);
    }
    figure.mesh.triangles.push_back({first, first + 1, first + 2});
    figure.mesh.triangles.push_back({first, first + 2, first + 3});
  }
}

/// `cut_open`: omits everything closer to the viewer than the center.
Figure voxel_figure(const std::vector<SolidVoxels>& solids, const ViewRotation& view,
                    bool cut_open) {
  Figure figure;
  for (const SolidVoxels& solid : solids) {
    const double side = voxel_size(solid.solid.boundary.resolution);
    const double middle = (view * solid.cube.center).z();
    const auto kind = [&](const Eigen::Vector3i& voxel) {
      const Eigen::Vector3d center = (voxel.cast<double>().array() + 0.5) * side;
      const bool is_shown = !cut_open || (view * solid.cube.to_bind(center)).z() < middle;
      return is_shown ? solid.kind(voxel) : VoxelKind::exterior;
    };
    add_faces(voxel_faces(solid, kind,
                          [](VoxelKind, VoxelKind other) { return other == VoxelKind::exterior; }),
              view, figure);
  }
  return figure;
}

Panel voxel_panel(const Figure& figure, const ViewRotation& view) {
  Panel panel;
  panel.figure = &figure;
  panel.camera.view = view;
  panel.extent = extent_of(figure.mesh.positions, view);
  return panel;
}

}  // namespace

Image render_voxels(const std::vector<SolidVoxels>& solids, const Units& units, int width) {
  check_picture(width, 0.0);
  const ViewRotation angled = view_of(units, voxel_yaw, voxel_pitch), front = view_of(units, 0);
  const Figure outside = voxel_figure(solids, angled, false),
               section = voxel_figure(solids, front, true);
  std::array<Panel, 2> panels = {voxel_panel(outside, angled), voxel_panel(section, front)};
  double across = 0.0, tall = 0.0;
  for (const Panel& panel : panels) {
    across += panel.extent.size().x();
    tall = std::max(tall, panel.extent.size().y());
  }
  const double rim = picture_rim * width;
  double scale = across > 0.0 ? (width - 3 * rim) / across : 1.0;
  if (tall * scale > most_height * width) scale = most_height * width / tall;
  const int height = std::max(64, static_cast<int>(std::ceil(tall * scale + 2 * rim)));
  const double spare = (width - across * scale) / 2.0;
  int left = 0;
  for (Panel& panel : panels) {
    const bool is_last = &panel == &panels.back();
    const auto own = static_cast<int>(std::lround(panel.extent.size().x() * scale + spare));
    panel.x = left;
    panel.width = std::max(1, is_last ? width - left : std::min(own, width - 1));
    panel.height = height;
    panel.camera.looks_at = panel.extent.center();
    panel.camera.scale = scale;
    panel.camera.center = {panel.width / 2.0, height / 2.0};
    left += panel.width;
  }
  Image image = blank_image(width, height);
  for (const Panel& panel : panels) draw_panel(panel, {}, {}, width / 1200.0, image);
  return image;
}

}  // namespace gvbind::preview
