// Tested by tests/unit/preview/views_test.cpp.

#include <algorithm>
#include <cmath>
#include <string>

#include "gvbind/error.h"
#include "preview/panel.h"
#include "preview/preview.h"
#include "preview/sheet_colors.h"

namespace gvbind::preview {
namespace {

constexpr int min_turntable_width = 64, max_turntable_width = 2000, max_frames = 360;
constexpr double turntable_pitch = 8.0, tallest = 1.5;  ///< degrees; relative to the width

double yaw_of(int frame, int frames) { return 360.0 * frame / frames; }

void check_turntable(const TurntableOptions& turntable) {
  if (turntable.width < min_turntable_width || turntable.width > max_turntable_width)
    throw Error(ErrorKind::usage, "width of the turntable: " + std::to_string(turntable.width) +
                                      " is not within " + std::to_string(min_turntable_width) +
                                      " to " + std::to_string(max_turntable_width));
  if (turntable.frames < 2 || turntable.frames > max_frames)
    throw Error(ErrorKind::usage, "frames of the turntable: " + std::to_string(turntable.frames) +
                                      " is not within 2 to " + std::to_string(max_frames));
}

/// The center of rotation of the figure.
Eigen::Vector3d middle_of(const Figure& figure) {
  Eigen::AlignedBox3d box;
  for (const Triangle& t : figure.mesh.triangles)
    for (const std::uint32_t v : t)
      if (figure.mesh.positions[v].allFinite()) box.extend(figure.mesh.positions[v]);
  return box.isEmpty() ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : Eigen::Vector3d(box.center());
}

/// Half of the area that is visible over all frames: right and up from the center.
Eigen::Vector2d reach_around(const Scene& scene, const Figure& figure,
                             const Eigen::Vector3d& middle, int frames) {
  Eigen::Vector2d reach = Eigen::Vector2d::Zero();
  for (int i = 0; i < frames; ++i) {
    const Panel panel = panel_of(scene, figure, false, yaw_of(i, frames), turntable_pitch);
    if (panel.extent.empty()) continue;
    const Eigen::Vector2d seen = (panel.camera.view * middle).head<2>();
    reach = reach.cwiseMax(panel.extent.high - seen).cwiseMax(seen - panel.extent.low);
  }
  return reach;
}

}  // namespace

void render_turntable(const Scene& scene, const PreviewOptions& options,
                      const TurntableOptions& turntable,
                      const std::function<void(const Image&)>& frame) {
  check_turntable(turntable);
  const SheetColors colors = sheet_colors(scene, options);
  Figure figure = bind_figure(scene, options.textures);
  figure.mesh.colors = colors.vertices;
  if (!options.pose.empty()) figure = posed_figure(scene, figure, options.pose);
  const Eigen::Vector3d middle = middle_of(figure);
  const Eigen::Vector2d size = 2.0 * reach_around(scene, figure, middle, turntable.frames);
  const double rim = 0.03 * turntable.width, room = turntable.width - 2.0 * rim;
  double scale = std::min(size.x() > 0.0 ? room / size.x() : HUGE_VAL,
                          size.y() > 0.0 ? tallest * room / size.y() : HUGE_VAL);
  if (!std::isfinite(scale)) scale = 1.0;
  const int height =
      std::max(min_turntable_width, static_cast<int>(std::ceil(size.y() * scale + 2.0 * rim)));
  for (int i = 0; i < turntable.frames; ++i) {
    Panel panel = panel_of(scene, figure, false, yaw_of(i, turntable.frames), turntable_pitch);
    panel.width = turntable.width;
    panel.height = height;
    panel.camera.looks_at = (panel.camera.view * middle).head<2>();
    panel.camera.scale = scale;
    panel.camera.center = {turntable.width / 2.0, height / 2.0};
    Image image = blank_image(turntable.width, height);
    draw_panel(panel, scene, colors.joints, turntable.width / 1200.0, image);
    frame(image);
  }
}

}  // namespace gvbind::preview
