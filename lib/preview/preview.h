#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind::preview {

struct TextureSet;

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top
};

/// Viewing direction; degrees as in view_of().
struct PreviewView {
  std::string name;  ///< label of the panel
  double yaw = 0.0, pitch = 0.0;
};

struct PreviewOptions {
  int width = 1200;                ///< pixels
  double bend_degrees = 40;        ///< rotation of joints in the bent poses
  std::vector<PreviewView> views;  ///< of the weights and of `pose`; empty: front, side and back
  /// By joint, bind space -> posed space; replaces the bent poses. Empty: none.
  std::vector<Eigen::Affine3d> pose;
  /// By mesh and vertex, precomputed positions; replaces `pose`. Empty: none.
  std::vector<std::vector<Eigen::Vector3d>> posed;
  std::string pose_name = "POSE";
  int joint = -1;       ///< show this joint's weight from blue to red; -1: colors of all joints
  bool legend = false;  ///< with names and colors; then neighbors never share a color
  bool names = false;   ///< labels next to joints, if joints are drawn
  /// Base colors and textures instead of weight colors, without joints; must outlive the call.
  /// Null: weight colors.
  const TextureSet* textures = nullptr;
};

/// A sheet of a skinned scene: front, side and back with weights in joint colors and the joints,
/// and two bent poses by linear blend skinning. Software rasterizer, anti-aliased, with identical
/// pixels on every machine.
Image render_sheet(const Scene& scene, const PreviewOptions& options = {});

/// Inputs of an image that compares two skins of one shape.
struct Comparison {
  std::string name, other_name;           ///< labels of their panels
  std::vector<std::string> lines;         ///< text at the top of the image
  std::vector<std::vector<float>> apart;  ///< by mesh and vertex: difference, 0 to 1
  /// Desired positions of all vertices, mesh by mesh, for a pose (by joint, bind space -> posed
  /// space); shown as a third figure in each pose, labeled with this name. Empty: none.
  std::function<std::vector<Eigen::Vector3d>(std::span<const Eigen::Affine3d>)> target;
  std::string target_name;
};

/// Two scenes with the same meshes and joints side by side: weights in colors from front and back,
/// their difference, and both in the two bent poses. Joints have the same color in both.
Image render_comparison(const Scene& scene, const Scene& other, const Comparison& comparison,
                        const PreviewOptions& options = {});

/// One of several skins of a shape.
struct SweepPicture {
  std::string label;
  Scene scene;
};

/// One bent pose of each skin, five per row, with equal scale, colored by weight. All have the same
/// joints. Uses only width and bend of the options. Throws Error(usage) without pictures.
Image render_sweep(std::span<const SweepPicture> pictures, const PreviewOptions& options = {});

struct TurntableOptions {
  int width = 480;  ///< pixels, 64 to 2000; the height depends on the figure
  int frames = 36;  ///< 2 to 360, equal steps of a full rotation to the left
};

/// Frames of a rotating scene, in `options.pose` if given; colors as in a sheet. Calls `frame` with
/// images of equal size.
void render_turntable(const Scene& scene, const PreviewOptions& options,
                      const TurntableOptions& turntable,
                      const std::function<void(const Image&)>& frame);

struct CardOptions {
  int width = 480;           ///< pixels, 64 to 8192; the height is three quarters
  double bend_degrees = 40;  ///< rotation of joints in the bent pose
};

/// A small image of a skinned scene: weights in joint colors on the left, one bent pose on the
/// right. Uses the renderer of the sheet.
Image render_card(const Scene& scene, const CardOptions& options = {});

/// The bytes of a PNG file. Throws Error(output) for an image without pixels.
std::string png_bytes(const Image& image);

/// Written completely or not at all. Throws Error(output).
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace gvbind::preview
