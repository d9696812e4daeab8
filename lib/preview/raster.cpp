#include "preview/raster.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gvbind::preview {
namespace {

// Snapping to 1/256 sample makes coverage exact: no cracks, and no sample is drawn twice along an
// edge. The limit keeps products of two differences within 64 bits.
constexpr int subpixel_steps = 256;
constexpr float position_limit = 1.0e6F;

struct Point {
  std::int64_t x, y;
};

Point snapped(const Eigen::Vector3f& p) {
  const auto step = [](float v) {
    return static_cast<std::int64_t>(
        std::floor(std::clamp(v, -position_limit, position_limit) * subpixel_steps + 0.5F));
  };
  return {step(p.x()), step(p.y())};
}

/// Twice the signed area of (a, b, p), linear in p; positive on the left of a -> b. With y down,
/// that is clockwise in the image.
struct Edge {
  std::int64_t dx, dy, value;

  Edge(const Point& a, const Point& b, const Point& p) {
    dx = b.x - a.x;
    dy = b.y - a.y;
    value = dx * (p.y - a.y) - dy * (p.x - a.x);
    // Top-left rule: of two triangles sharing an edge, only one includes the samples on it.
    if (!(dy < 0 || (dy == 0 && dx > 0))) --value;
  }
  void right() { value -= dy * subpixel_steps; }
  void down() { value += dx * subpixel_steps; }
};

struct Box {
  int x0, y0, x1, y1;  ///< samples, inclusive
};

Box covered(const Canvas& canvas, const Point& a, const Point& b, const Point& c) {
  const auto low = [](std::int64_t v) {
    return (v - subpixel_steps / 2 + subpixel_steps - 1) >> 8;
  };
  const auto high = [](std::int64_t v) { return (v - subpixel_steps / 2) >> 8; };
  const auto within = [](std::int64_t v, int end) {
    return static_cast<int>(std::clamp<std::int64_t>(v, -1, end));
  };
  return {std::max(0, within(low(std::min({a.x, b.x, c.x})), canvas.width)),
          std::max(0, within(low(std::min({a.y, b.y, c.y})), canvas.height)),
          std::min(canvas.width - 1, within(high(std::max({a.x, b.x, c.x})), canvas.width)),
          std::min(canvas.height - 1, within(high(std::max({a.y, b.y, c.y})), canvas.height))};
}

/// `paint` gets the barycentric coordinates and the sample; it returns a color or nothing.
template <class Paint>
void fill(Canvas& canvas, const RasterVertex& a, const RasterVertex& b, const RasterVertex& c,
          const Point (&p)[3], double area, bool inner, const Paint& paint) {
  const Box box = covered(canvas, p[0], p[1], p[2]);
  const Point corner = {static_cast<std::int64_t>(box.x0) * subpixel_steps + subpixel_steps / 2,
                        static_cast<std::int64_t>(box.y0) * subpixel_steps + subpixel_steps / 2};
  Edge row_a(p[1], p[2], corner), row_b(p[2], p[0], corner), row_c(p[0], p[1], corner);
  const auto scale = static_cast<float>(1.0 / area);
  for (int y = box.y0; y <= box.y1; ++y, row_a.down(), row_b.down(), row_c.down()) {
    Edge ea = row_a, eb = row_b, ec = row_c;
    for (int x = box.x0; x <= box.x1; ++x, ea.right(), eb.right(), ec.right()) {
      if ((ea.value | eb.value | ec.value) < 0) continue;
      const float u = static_cast<float>(ea.value) * scale;
      const float v = static_cast<float>(eb.value) * scale;
      const float w = 1.0F - u - v;
      const float z = u * a.position.z() + v * b.position.z() + w * c.position.z();
      const std::size_t sample = canvas.at(x, y);
      if (z <= canvas.depth[sample]) continue;
      const Eigen::Vector3f normal = u * a.normal + v * b.normal + w * c.normal;
      if (paint({u, v, w}, normal, inner, x, y, canvas.color[sample])) canvas.depth[sample] = z;
    }
  }
}

}  // namespace

Canvas::Canvas(int w, int h, const Eigen::Vector3f& background)
    : width(w),
      height(h),
      color(static_cast<std::size_t>(w) * h, background),
      depth(static_cast<std::size_t>(w) * h, -HUGE_VALF) {}

Eigen::Vector3f shade(const Eigen::Vector3f& color, const Eigen::Vector3f& normal, bool inner) {
  const float length = normal.norm();
  Eigen::Vector3f n = length > 0.0F ? Eigen::Vector3f(normal / length) : Eigen::Vector3f(0, 0, 1);
  if (inner) n = -n;
  const Eigen::Vector3f key(-0.41F, 0.55F, 0.73F), fill(0.80F, 0.10F, 0.59F);
  const float light =
      0.30F + 0.62F * std::max(0.0F, n.dot(key)) + 0.18F * std::max(0.0F, n.dot(fill));
  return color * ((inner ? 0.7F : 1.0F) * light);
}

namespace {

/// `paint` of a reversed triangle gets the coordinates in the original order.
template <class Paint>
void draw(Canvas& canvas, const RasterVertex& a, const RasterVertex& b, const RasterVertex& c,
          const Paint& paint, const Paint& paint_turned) {
  const Point p[3] = {snapped(a.position), snapped(b.position), snapped(c.position)};
  const std::int64_t area =
      (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
  if (area == 0) return;
  // With y down, a negative area is counter-clockwise for the viewer.
  if (area < 0) {
    const Point turned[3] = {p[0], p[2], p[1]};
    fill(canvas, a, c, b, turned, static_cast<double>(-area), false, paint_turned);
  } else {
    fill(canvas, a, b, c, p, static_cast<double>(area), true, paint);
  }
}

struct ByVertex {
  const RasterVertex &a, &b, &c;

  bool operator()(const Eigen::Vector3f& s, const Eigen::Vector3f& normal, bool inner, int, int,
                  Eigen::Vector3f& color) const {
    color = shade(s[0] * a.color + s[1] * b.color + s[2] * c.color, normal, inner);
    return true;
  }
};

struct ByPainter {
  const SamplePainter& painter;
  bool unlit, turned;

  bool operator()(const Eigen::Vector3f& s, const Eigen::Vector3f& normal, bool inner, int x, int y,
                  Eigen::Vector3f& color) const {
    Eigen::Vector3f own;
    if (!painter(turned ? Eigen::Vector3f(s[0], s[2], s[1]) : s, x, y, own)) return false;
    color = unlit ? own : shade(own, normal, inner);
    return true;
  }
};

}  // namespace

void draw_triangle(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c) {
  draw(canvas, a, b, c, ByVertex{a, b, c}, ByVertex{a, c, b});
}

void draw_triangle(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c, const SamplePainter& painter, bool unlit) {
  draw(canvas, a, b, c, ByPainter{painter, unlit, false}, ByPainter{painter, unlit, true});
}

void draw_stroke(Canvas& canvas, const Eigen::Vector2f& a, float radius_a, const Eigen::Vector2f& b,
                 float radius_b, const Eigen::Vector3f& color, float opacity) {
  const float reach = std::max(radius_a, radius_b) + 1.0F;
  const auto clamped = [](float v, int end) {
    return static_cast<int>(std::clamp(v, -1.0F, static_cast<float>(end)));
  };
  const int x0 = std::max(0, clamped(std::min(a.x(), b.x()) - reach, canvas.width));
  const int y0 = std::max(0, clamped(std::min(a.y(), b.y()) - reach, canvas.height));
  const int x1 = std::min(canvas.width - 1, clamped(std::max(a.x(), b.x()) + reach, canvas.width));
  const int y1 =
      std::min(canvas.height - 1, clamped(std::max(a.y(), b.y()) + reach, canvas.height));
  const Eigen::Vector2f along = b - a;
  const float length2 = along.squaredNorm();
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const Eigen::Vector2f p =
          Eigen::Vector2f(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F) - a;
      const float t = length2 > 0.0F ? std::clamp(p.dot(along) / length2, 0.0F, 1.0F) : 0.0F;
      const float radius = radius_a + (radius_b - radius_a) * t;
      if ((p - t * along).squaredNorm() > radius * radius) continue;
      Eigen::Vector3f& sample = canvas.color[canvas.at(x, y)];
      sample += opacity * (color - sample);
    }
}

}  // namespace gvbind::preview
