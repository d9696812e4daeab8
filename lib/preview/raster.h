#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

namespace gvbind::preview {

/// Samples of an image: linear RGB, depth increasing toward the viewer.
struct Canvas {
  int width = 0, height = 0;
  std::vector<Eigen::Vector3f> color;
  std::vector<float> depth;

  Canvas(int w, int h, const Eigen::Vector3f& background);
  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * width + x; }
};

struct RasterVertex {
  Eigen::Vector3f position;  ///< x, y in samples from the top left; z is depth
  Eigen::Vector3f normal;    ///< unit, in the view (right, up, toward the viewer)
  Eigen::Vector3f color;     ///< linear RGB
};

/// Lighting in the view. Both sides of a face are lit; the inner side is darker.
Eigen::Vector3f shade(const Eigen::Vector3f& color, const Eigen::Vector3f& normal, bool inner);

/// Triangles that are counter-clockwise in the view show their outer side. A sample on a shared
/// edge belongs to exactly one triangle. Vertices must be finite; parts outside the canvas are
/// clipped.
void draw_triangle(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c);

/// Color of a sample inside a triangle from its barycentric coordinates and position in the canvas.
/// False: transparent.
using SamplePainter =
    std::function<bool(const Eigen::Vector3f& shares, int x, int y, Eigen::Vector3f& color)>;

/// Draws with colors from `painter`, shaded unless unlit.
void draw_triangle(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c, const SamplePainter& painter, bool unlit);

/// A segment with round ends of two radii (a disc if both ends are equal), in samples, drawn over
/// the image without depth.
void draw_stroke(Canvas& canvas, const Eigen::Vector2f& a, float radius_a, const Eigen::Vector2f& b,
                 float radius_b, const Eigen::Vector3f& color, float opacity = 1.0F);

}  // namespace gvbind::preview
