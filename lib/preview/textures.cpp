#include "preview/textures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gvbind/base/portable_pow.h"
#include "preview/colors.h"

namespace gvbind::preview {

namespace {

constexpr int channels = 4;

/// The inverse of srgb_byte().
std::array<float, 256> linear_bytes() {
  std::array<float, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double encoded = static_cast<double>(i) / 255.0;
    table[i] = static_cast<float>(
        encoded <= 0.04045 ? encoded / 12.92 : portable_pow((encoded + 0.055) / 1.055, 2.4));
  }
  return table;
}

Eigen::Vector4f pixel(const Picture& picture, int x, int y) {
  static const std::array<float, 256> linear = linear_bytes();
  const std::size_t at =
      channels * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                  static_cast<std::size_t>(x));
  return {linear[picture.rgba[at]], linear[picture.rgba[at + 1]], linear[picture.rgba[at + 2]],
          static_cast<float>(picture.rgba[at + 3]) / 255.0F};
}

Picture half_of(const Picture& picture) {
  static const SrgbTable encode;
  Picture half{std::max(1, picture.width / 2), std::max(1, picture.height / 2), {}};
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x) {
      Eigen::Vector4f sum = Eigen::Vector4f::Zero();
      for (const int dy : {0, 1})
        for (const int dx : {0, 1})
          sum += pixel(picture, std::min(2 * x + dx, picture.width - 1),
                       std::min(2 * y + dy, picture.height - 1));
      sum *= 0.25F;
      for (int c = 0; c < 3; ++c) half.rgba.push_back(encode(sum[c]));
      half.rgba.push_back(static_cast<std::uint8_t>(255.0F * sum[3] + 0.5F));
    }
  return half;
}

int wrapped(int i, int size, Wrap wrap) {
  if (wrap == Wrap::clamp) return std::clamp(i, 0, size - 1);
  const int period = wrap == Wrap::mirror ? 2 * size : size;
  const int inside = ((i % period) + period) % period;
  return inside < size ? inside : period - 1 - inside;
}

/// Beyond this, single precision cannot resolve pixels.
constexpr float farthest = 16384.0F;

/// The pixel to the upper left of a position, and the offset from its center.
struct Place {
  int index;
  float share;
};

Place place_of(float coordinate, int size) {
  const float at = std::isfinite(coordinate) ? std::clamp(coordinate, -farthest, farthest) : 0.0F;
  const float whole = std::floor(at);
  // The integer part is a multiple of the size; removing it first keeps precision.
  const float pixels = (at - whole) * static_cast<float>(size) - 0.5F;
  const float low = std::floor(pixels);
  return {static_cast<int>(whole) * size + static_cast<int>(low), pixels - low};
}

/// Number of texture pixels per sample of the canvas.
float texels_per_sample(const RasterVertex& a, const RasterVertex& b, const RasterVertex& c,
                        const SurfaceTriangle& triangle, const Picture& picture) {
  const Eigen::Vector2f ab = (b.position - a.position).head<2>(),
                        ac = (c.position - a.position).head<2>();
  const Eigen::Vector2f size(static_cast<float>(picture.width), static_cast<float>(picture.height));
  const Eigen::Vector2f uv_ab = (triangle.uvs[1] - triangle.uvs[0]).cwiseProduct(size),
                        uv_ac = (triangle.uvs[2] - triangle.uvs[0]).cwiseProduct(size);
  const float on_canvas = std::abs(ab.x() * ac.y() - ab.y() * ac.x());
  const float in_picture = std::abs(uv_ab.x() * uv_ac.y() - uv_ab.y() * uv_ac.x());
  return on_canvas > 0.0F ? in_picture / on_canvas : 1.0F;
}

/// By sample of a pixel's nine, in a dispersed order.
float blend_threshold(int x, int y) {
  constexpr std::array<int, 9> order = {0, 5, 3, 7, 2, 6, 4, 8, 1};
  return (static_cast<float>(order[3 * (y % 3) + x % 3]) + 0.5F) / 9.0F;
}

bool shows(const Material& material, float alpha, int x, int y) {
  if (material.alpha == AlphaMode::mask) return alpha >= static_cast<float>(material.alpha_cutoff);
  if (material.alpha == AlphaMode::blend) return alpha > blend_threshold(x, y);
  return true;
}

}  // namespace

TextureSet texture_set(Surface surface) {
  TextureSet set;
  for (Picture& picture : surface.pictures) {
    PictureLevels levels;
    levels.push_back(std::move(picture));
    while (levels.back().width > 1 || levels.back().height > 1)
      levels.push_back(half_of(levels.back()));
    set.levels.push_back(std::move(levels));
  }
  surface.pictures.clear();
  set.surface = std::move(surface);
  return set;
}

Eigen::Vector4f sample_texture(const PictureLevels& levels, const Texture& texture,
                               const Eigen::Vector2f& uv, float texels) {
  std::size_t level = 0;
  for (; texels > 2.0F && level + 1 < levels.size(); texels /= 4.0F) ++level;
  const Picture& picture = levels[level];
  const Place u = place_of(uv.x(), picture.width), v = place_of(uv.y(), picture.height);
  const auto at = [&](int dx, int dy) {
    return pixel(picture, wrapped(u.index + dx, picture.width, texture.wrap_u),
                 wrapped(v.index + dy, picture.height, texture.wrap_v));
  };
  const Eigen::Vector4f upper = (1.0F - u.share) * at(0, 0) + u.share * at(1, 0);
  const Eigen::Vector4f lower = (1.0F - u.share) * at(0, 1) + u.share * at(1, 1);
  return (1.0F - v.share) * upper + v.share * lower;
}

void draw_textured(Canvas& canvas, const RasterVertex& a, const RasterVertex& b,
                   const RasterVertex& c, const SurfaceTriangle& triangle,
                   const TextureSet& textures) {
  static const Material white;
  const Material& material =
      triangle.material < 0 ? white : textures.surface.materials[triangle.material];
  const Texture& map = material.color_map;
  const Eigen::Vector4f base_color = material.base_color.cast<float>();
  const PictureLevels* levels = map.image < 0 ? nullptr : &textures.levels[map.image];
  const float texels = levels ? texels_per_sample(a, b, c, triangle, levels->front()) : 1.0F;
  const auto& uvs = triangle.uvs;
  const auto& colors = triangle.colors;
  draw_triangle(
      canvas, a, b, c,
      [&](const Eigen::Vector3f& s, int x, int y, Eigen::Vector3f& color) {
        Eigen::Vector4f own = s[0] * colors[0] + s[1] * colors[1] + s[2] * colors[2];
        own = own.cwiseProduct(base_color);
        if (levels)
          own = own.cwiseProduct(
              sample_texture(*levels, map, s[0] * uvs[0] + s[1] * uvs[1] + s[2] * uvs[2], texels));
        if (!shows(material, own[3], x, y)) return false;
        color = own.head<3>();
        return true;
      },
      material.unlit);
}

}  // namespace gvbind::preview
