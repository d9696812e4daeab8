#include "egl/slab_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <tuple>

namespace gvbind::egl {
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
  // Corners level with a center go below it, as in voxelize_columns().
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

struct Range {
  std::int64_t low, high;
};

Range range_of(std::int64_t a, std::int64_t b, std::int64_t c) {
  const auto [low, high] = std::minmax({a, b, c});
  return {low, high};
}

// The facet of a triangle, without its vertex index; none if it covers no pixel.
std::optional<SlabFacet> facet_of(const std::array<Corner, 3>& c) {
  const Range u = range_of(c[0].u, c[1].u, c[2].u), v = range_of(c[0].v, c[1].v, c[2].v);
  const Range d = range_of(c[0].d, c[1].d, c[2].d);
  const auto place = [](int n) { return static_cast<std::int16_t>(n); };
  SlabFacet facet{};
  // Pixel centers below a corner are counted like slices below a face.
  facet.left = place(slab_of(u.low));
  facet.right = place(slab_of(u.high) - 1);
  facet.bottom = place(slab_of(v.low));
  facet.top = place(slab_of(v.high) - 1);
  if (facet.left > facet.right || facet.bottom > facet.top) return std::nullopt;
  facet.first_slab = place(slab_of(d.low));
  facet.last_slab = place(slab_of(d.high));
  return facet;
}

void add_facets(const LatticeMesh& mesh, const CornerGrid& grid, SlabPlan& plan) {
  // The image of the y axis is (x, z), a left-handed pair.
  const bool flipped = plan.axis == 1;
  for (const Triangle& t : mesh.triangles) {
    std::array<Corner, 3> c = {grid.snap(mesh.positions[t[0]]), grid.snap(mesh.positions[t[1]]),
                               grid.snap(mesh.positions[t[2]])};
    const std::int64_t facing = normal_of(c[0], c[1], c[2]).d;
    if (facing == 0) continue;
    std::optional<SlabFacet> facet = facet_of(c);
    if (!facet) continue;
    facet->vertex = static_cast<std::uint32_t>(plan.vertices.size());
    facet->along = (facing > 0) != flipped;
    plan.facets.push_back(*facet);
    // Both sides of a two-sided sheet must get equal depths to the last bit, whatever the order of
    // their corners.
    std::sort(c.begin(), c.end());
    SlabVertex vertex = plane_of(c);
    for (const Corner& corner : c) {
      vertex.u = static_cast<float>(corner.u);
      vertex.v = static_cast<float>(corner.v);
      plan.vertices.push_back(vertex);
    }
  }
}

void frame(SlabPlan& plan) {
  int left = plan.resolution, right = 0, bottom = plan.resolution, top = 0;
  plan.first_slab = plan.resolution;
  for (const SlabFacet& f : plan.facets) {
    left = std::min<int>(left, f.left);
    right = std::max<int>(right, f.right);
    bottom = std::min<int>(bottom, f.bottom);
    top = std::max<int>(top, f.top);
    plan.first_slab = std::min<int>(plan.first_slab, f.first_slab);
    plan.last_slab = std::max<int>(plan.last_slab, f.last_slab);
  }
  left = left / 64 * 64;
  plan.image = {left, bottom, right + 1 - left, top + 1 - bottom};
}

}  // namespace

SlabPlan plan_slabs(const LatticeMesh& mesh, int resolution, int axis) {
  SlabPlan plan;
  plan.axis = axis;
  plan.resolution = resolution;
  add_facets(mesh, CornerGrid(resolution, axis), plan);
  if (plan.facets.empty()) return plan;
  frame(plan);
  // One slice beyond the faces on either side represents all slices that are not drawn.
  const int low = std::max(plan.first_slab - 1, 0);
  const int high = std::min(plan.last_slab, resolution - 1);
  plan.first_slice = low / 64 * 64;
  plan.slice_groups = (high - plan.first_slice) / 128 + 1;
  return plan;
}

}  // namespace gvbind::egl
