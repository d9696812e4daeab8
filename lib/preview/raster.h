#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

namespace gvbind {

/// Samples of a picture: colors are linear RGB, depth grows toward the viewer.
struct Canvas {
  int width = 0, height = 0;
  std::vector<Eigen::Vector3f> color;
  std::vector<float> depth;

  Canvas(int w, int h, const Eigen::Vector3f& background);
  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * width + x; }
};

struct RasterVertex {
  Eigen::Vector3f position;  ///< x, y in samples from the top left, z depth
  Eigen::Vector3f normal;    ///< unit, in the view (right, up, toward the viewer)
  Eigen::Vector3f color;     ///< linear RGB
};

/// Where the light falls, in the view. Both sides of a face are lit; the inner side is darker.
Eigen::Vector3f shade(const Eigen::Vector3f& color, const Eigen::Vector3f& normal, bool inner);

/// A triangle whose vertices go counter-clockwise in the view shows its outer side. A sample on an
/// edge that two triangles share belongs to one of them. Vertices must be finite; what lies outside
/// the canvas is cut off.
void draw_triangle(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c);

/// What a sample inside a triangle shows: its shares of the three corners, and where it is in the
/// canvas. False: nothing, and what lies behind is seen.
using SamplePainter =
    std::function<bool(const Eigen::Vector3f& shares, int x, int y, Eigen::Vector3f& color)>;

/// The same with colors by `painter`, which are shaded unless it is unlit.
void draw_triangle(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c, const SamplePainter& painter, bool unlit);

/// A segment with round ends of two radii (a disc where both ends are one), in samples, over what
/// is there and without depth.
void draw_stroke(Canvas& canvas, const Eigen::Vector2f& a, float radius_a, const Eigen::Vector2f& b,
                 float radius_b, const Eigen::Vector3f& color, float opacity = 1.0F);

}  // namespace gvbind
