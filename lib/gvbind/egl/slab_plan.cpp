#include "gvbind/egl/slab_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>

namespace gvbind {
namespace {

struct Corner {
  std::int64_t u, v, d;  // steps

  bool operator<(const Corner& other) const {
    return std::tie(u, v, d) < std::tie(other.u, other.v, other.d);
  }
};

struct Normal {
  std::int64_t u, v, d;
};

struct Facet {
  std::uint32_t vertex;  // first of three
  std::int16_t first_slab, last_slab;
  bool along;
};

class CornerGrid {
 public:
  CornerGrid(int resolution, int axis)
      : shift_(lattice_bits - std::bit_width(static_cast<unsigned>(resolution)) + 1 - 7),
        last_(static_cast<std::int64_t>(resolution) * (voxel_steps / 2) - 1),
        u_(axis == 0 ? 1 : 0),
        v_(axis == 2 ? 1 : 2),
        d_(axis) {}

  Corner snap(const Eigen::Vector3i& p) const { return {step(p[u_]), step(p[v_]), step(p[d_])}; }

 private:
  // A corner level with a center goes below it, as in voxelize_columns.
  std::int64_t step(std::int32_t q) const {
    return 2 * std::clamp<std::int64_t>((q - 1) >> shift_, 0, last_) + 1;
  }

  int shift_;
  std::int64_t last_;
  int u_, v_, d_;
};

Normal normal_of(const Corner& a, const Corner& b, const Corner& c) {
  const std::int64_t u1 = b.u - a.u, v1 = b.v - a.v, d1 = b.d - a.d;
  const std::int64_t u2 = c.u - a.u, v2 = c.v - a.v, d2 = c.d - a.d;
  return {v1 * d2 - d1 * v2, d1 * u2 - u1 * d2, u1 * v2 - v1 * u2};
}

int slab_of(std::int64_t d) { return static_cast<int>((d + voxel_steps / 2 - 1) / voxel_steps); }

SlabVertex plane_of(const std::array<Corner, 3>& c) {
  const Normal n = normal_of(c[0], c[1], c[2]);
  const auto nd = static_cast<double>(n.d);
  const std::int64_t ref_u = c[0].u / voxel_steps, ref_v = c[0].v / voxel_steps;
  const std::int64_t du = ref_u * voxel_steps + voxel_steps / 2 - c[0].u;
  const std::int64_t dv = ref_v * voxel_steps + voxel_steps / 2 - c[0].v;
  SlabVertex result{};
  result.slope_u = static_cast<float>(static_cast<double>(-n.u * voxel_steps) / nd);
  result.slope_v = static_cast<float>(static_cast<double>(-n.v * voxel_steps) / nd);
  const double depth = static_cast<double>(c[0].d) - static_cast<double>(n.u * du + n.v * dv) / nd;
  const double base = std::round(depth);
  result.rest = static_cast<float>(depth - base);
  result.base = static_cast<float>(base);
  const auto [low, high] = std::minmax({c[0].d, c[1].d, c[2].d});
  result.low = static_cast<float>(static_cast<double>(low) - base);
  result.high = static_cast<float>(static_cast<double>(high) - base);
  result.ref_u = static_cast<std::int16_t>(ref_u);
  result.ref_v = static_cast<std::int16_t>(ref_v);
  return result;
}

bool misses_pixels(const std::array<Corner, 3>& c) {
  const auto none = [](std::int64_t a, std::int64_t b, std::int64_t e) {
    const auto [low, high] = std::minmax({a, b, e});
    return slab_of(low) == slab_of(high);
  };
  return none(c[0].u, c[1].u, c[2].u) || none(c[0].v, c[1].v, c[2].v);
}

std::vector<Facet> add_facets(const UnitScene& scene, const CornerGrid& grid, SlabPlan& plan) {
  std::vector<Facet> facets;
  // The image of the y axis is (x, z), a left-handed pair.
  const bool flipped = plan.axis == 1;
  for (const Triangle& t : scene.triangles) {
    std::array<Corner, 3> c = {grid.snap(scene.positions[t[0]]), grid.snap(scene.positions[t[1]]),
                               grid.snap(scene.positions[t[2]])};
    const std::int64_t facing = normal_of(c[0], c[1], c[2]).d;
    if (facing == 0 || misses_pixels(c)) continue;
    // Doubled sheets must get the same depth to the last bit, whatever their order of corners.
    std::sort(c.begin(), c.end());
    SlabVertex vertex = plane_of(c);
    const auto first = static_cast<std::uint32_t>(plan.vertices.size());
    for (const Corner& corner : c) {
      vertex.u = static_cast<float>(corner.u);
      vertex.v = static_cast<float>(corner.v);
      plan.vertices.push_back(vertex);
    }
    facets.push_back({first, static_cast<std::int16_t>(slab_of(std::min({c[0].d, c[1].d, c[2].d}))),
                      static_cast<std::int16_t>(slab_of(std::max({c[0].d, c[1].d, c[2].d}))),
                      (facing > 0) != flipped});
  }
  return facets;
}

void frame(SlabPlan& plan) {
  float left = 1e9f, right = -1.0f, bottom = 1e9f, top = -1.0f;
  for (const SlabVertex& v : plan.vertices) {
    left = std::min(left, v.u);
    right = std::max(right, v.u);
    bottom = std::min(bottom, v.v);
    top = std::max(top, v.v);
  }
  // The bits of 64 pixels side by side become one word of the grid.
  plan.left = static_cast<int>(left) / voxel_steps / 64 * 64;
  plan.width = static_cast<int>(right) / voxel_steps + 1 - plan.left;
  plan.bottom = static_cast<int>(bottom) / voxel_steps;
  plan.height = static_cast<int>(top) / voxel_steps + 1 - plan.bottom;
  for (SlabVertex& v : plan.vertices) {
    v.ref_u = static_cast<std::int16_t>(v.ref_u - plan.left);
    v.ref_v = static_cast<std::int16_t>(v.ref_v - plan.bottom);
  }
}

void sort_into_slabs(const std::vector<Facet>& facets, SlabPlan& plan) {
  plan.first_slab = plan.resolution;
  for (const Facet& f : facets) {
    plan.first_slab = std::min<int>(plan.first_slab, f.first_slab);
    plan.last_slab = std::max<int>(plan.last_slab, f.last_slab);
  }
  const auto list_of = [&](int slab, const Facet& f) {
    return static_cast<std::size_t>(slab - plan.first_slab) * 2 + (f.along ? 0 : 1);
  };
  plan.starts.assign(static_cast<std::size_t>(plan.last_slab - plan.first_slab + 1) * 2 + 1, 0);
  for (const Facet& f : facets)
    for (int slab = f.first_slab; slab <= f.last_slab; ++slab)
      plan.starts[list_of(slab, f) + 1] += 3;
  for (std::size_t i = 1; i < plan.starts.size(); ++i) plan.starts[i] += plan.starts[i - 1];
  plan.indices.resize(plan.starts.back());
  std::vector<std::size_t> next(plan.starts.begin(), plan.starts.end() - 1);
  for (const Facet& f : facets)
    for (int slab = f.first_slab; slab <= f.last_slab; ++slab)
      for (std::uint32_t k = 0; k < 3; ++k) plan.indices[next[list_of(slab, f)]++] = f.vertex + k;
}

}  // namespace

SlabPlan plan_slabs(const UnitScene& scene, int resolution, int axis) {
  SlabPlan plan;
  plan.axis = axis;
  plan.resolution = resolution;
  const std::vector<Facet> facets = add_facets(scene, CornerGrid(resolution, axis), plan);
  if (facets.empty()) return plan;
  frame(plan);
  sort_into_slabs(facets, plan);
  // One slice beyond the faces on either side stands for all the slices that are not drawn.
  const int low = std::max(plan.first_slab - 1, 0);
  const int high = std::min(plan.last_slab, resolution - 1);
  plan.first_slice = low / 64 * 64;
  plan.slice_groups = (high - plan.first_slice) / 128 + 1;
  return plan;
}

}  // namespace gvbind
