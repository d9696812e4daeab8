#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "preview/camera.h"
#include "preview/drawn_mesh.h"
#include "preview/poses.h"
#include "preview/preview.h"
#include "preview/raster.h"
#include "preview/text.h"

namespace gvbind::preview {

/// A scene's meshes in one pose.
struct Figure {
  DrawnMesh mesh;
  std::vector<Eigen::Vector3f> normals;
};

/// `textures`: may be null for weight colors.
Figure bind_figure(const Scene& scene, const TextureSet* textures = nullptr);
/// `pose`: by joint, bind space -> posed space.
Figure posed_figure(const Scene& scene, const Figure& bind, std::span<const Eigen::Affine3d> pose);
Figure posed_figure(const Scene& scene, const Figure& bind, BentPose pose, double degrees);

/// One view in an image.
struct Panel {
  std::string label;
  const Figure* figure = nullptr;
  bool skeleton = false;  ///< whether joints are drawn
  ViewExtent extent;
  ViewCamera camera;
  int x = 0, y = 0, width = 0, height = 0;  ///< in the image, pixels
};

/// A view of a figure; position and size in the image are set by the layout.
Panel panel_of(const Scene& scene, const Figure& figure, bool skeleton, double yaw, double pitch);

/// An image filled with the background.
Image blank_image(int width, int height);

/// Draws the panel without its label, anti-aliased. `unit`: pixel size relative to a sheet of 1200
/// pixels.
void draw_panel(const Panel& panel, const Scene& scene, std::span<const Eigen::Vector3f> colors,
                double unit, Image& image);

/// Throws Error(usage) for an invalid width or bend.
void check_picture(int width, double bend_degrees);

}  // namespace gvbind::preview
