#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

struct TextureSet;

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top
};

/// From where a character is seen; degrees as view_of takes them.
struct PreviewView {
  std::string name;  ///< written above the panel
  double yaw = 0.0, pitch = 0.0;
};

struct PreviewOptions {
  int width = 1200;                ///< pixels
  double bend_degrees = 40;        ///< how far the joints of the bent poses turn
  std::vector<PreviewView> views;  ///< of the weights and of `pose`; empty: front, side and back
  /// By joint, bind space -> posed space; takes the place of the bent poses. Empty: none.
  std::vector<Eigen::Affine3d> pose;
  /// By mesh and vertex, the same worked out by another; it takes the place of `pose`. Empty: none.
  std::vector<std::vector<Eigen::Vector3d>> posed;
  std::string pose_name = "POSE";
  int joint = -1;       ///< how much this one owns, from blue to red; -1: the colors of all
  bool legend = false;  ///< names beside colors; neighbors never share a color then
  bool names = false;   ///< of joints beside them, where joints are drawn
  /// Base colors and textures in place of the weights' colors, and no joints; must outlive the
  /// call. Null: none.
  const TextureSet* textures = nullptr;
};

/// A sheet of a skinned scene: front, side and back with the weights in colors by joint and the
/// joints drawn, and two bent poses by linear blend skinning. Software rasterizer, anti-aliased,
/// the same pixels everywhere.
Image render_sheet(const Scene& scene, const PreviewOptions& options = {});

/// What a picture of two skins of one shape shows.
struct Comparison {
  std::string name, other_name;           ///< written above their panels
  std::vector<std::string> lines;         ///< written at the head of the picture
  std::vector<std::vector<float>> apart;  ///< by mesh and vertex: how much they differ, 0 to 1
  /// Where a pose (by joint, bind space -> posed space) should put the vertices of all meshes, one
  /// after the other: a third figure in each pose, of this name. Empty: none.
  std::function<std::vector<Eigen::Vector3d>(std::span<const Eigen::Affine3d>)> target;
  std::string target_name;
};

/// Two scenes of the same meshes and joints side by side: weights in colors from the front and the
/// back, where they differ, and both in the two bent poses. The colors of a joint are the same.
Image render_comparison(const Scene& scene, const Scene& other, const Comparison& comparison,
                        const PreviewOptions& options = {});

/// One of several skins of a shape.
struct SweepPicture {
  std::string label;
  Scene scene;
};

/// One bent pose of each, five in a row at one scale, colored by weight. All have the same joints.
/// Of the options, width and bend count. Throws Error(usage) for no pictures.
Image render_sweep(std::span<const SweepPicture> pictures, const PreviewOptions& options = {});

struct TurntableOptions {
  int width = 480;  ///< pixels, 64 to 2000; the height follows from the figure
  int frames = 36;  ///< 2 to 360, equal steps of a whole turn to the left
};

/// A skinned scene as it turns on the spot, in `options.pose` where there is one; colors as in a
/// sheet. Calls `frame` with one picture after the other, all of one size.
void render_turntable(const Scene& scene, const PreviewOptions& options,
                      const TurntableOptions& turntable,
                      const std::function<void(const Image&)>& frame);

struct CardOptions {
  int width = 480;           ///< pixels, 64 to 8192; the height is three quarters of it
  double bend_degrees = 40;  ///< how far the joints of the bent pose turn
};

/// A small picture of a skinned scene: its weights in colors by joint on the left, one bent pose on
/// the right. By the renderer of the sheet.
Image render_card(const Scene& scene, const CardOptions& options = {});

/// The bytes of a PNG file. Throws Error(output) for an image without pixels.
std::string png_bytes(const Image& image);

/// Whole or not at all. Throws Error(output).
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace gvbind
