#include "egl/slab_passes.h"

#include <algorithm>

namespace gvbind::egl {
namespace {

bool meets(const SlabFacet& f, const PixelRect& tile) {
  return f.left < tile.left + tile.width && f.right >= tile.left &&
         f.bottom < tile.bottom + tile.height && f.top >= tile.bottom;
}

SlabRange common(const SlabFacet& f, SlabRange slabs) {
  return {std::max<int>(f.first_slab, slabs.first), std::min<int>(f.last_slab, slabs.last)};
}

}  // namespace

std::vector<PixelRect> tiles_of(const PixelRect& image, const PassLimits& limits) {
  const auto cut = [](int whole, int most) { return (whole + most - 1) / most; };
  const int width = std::min(image.width, std::max(limits.side / 64, 1) * 64);
  const auto rows = std::max<std::size_t>(limits.pixels / static_cast<std::size_t>(width), 1);
  const int max_rows = static_cast<int>(
      std::min({rows, static_cast<std::size_t>(limits.side), std::size_t(image.height)}));
  // Of equal height, so that the last one is not a sliver.
  const int height = cut(image.height, cut(image.height, max_rows));
  std::vector<PixelRect> tiles;
  const int right = image.left + image.width, top = image.bottom + image.height;
  for (int bottom = image.bottom; bottom < top; bottom += height)
    for (int left = image.left; left < right; left += width)
      tiles.push_back(
          {left, bottom, std::min(width, right - left), std::min(height, top - bottom)});
  return tiles;
}

std::vector<SlabRange> split_slabs(const SlabPlan& plan, const PixelRect& tile,
                                   std::size_t max_indices) {
  const auto slabs = static_cast<std::size_t>(plan.last_slab - plan.first_slab + 1);
  std::vector<std::ptrdiff_t> change(slabs + 1, 0);
  for (const SlabFacet& f : plan.facets) {
    if (!meets(f, tile)) continue;
    change[f.first_slab - plan.first_slab] += 3;
    change[static_cast<std::size_t>(f.last_slab - plan.first_slab) + 1] -= 3;
  }
  std::vector<SlabRange> ranges;
  std::ptrdiff_t in_slab = 0;
  std::size_t in_range = 0;
  for (int slab = plan.first_slab; slab <= plan.last_slab; ++slab) {
    in_slab += change[slab - plan.first_slab];
    const auto more = static_cast<std::size_t>(in_slab);
    if (ranges.empty() || in_range + more > max_indices) {
      ranges.push_back({slab, slab});
      in_range = 0;
    }
    ranges.back().last = slab;
    in_range += more;
  }
  return ranges;
}

SlabIndices sort_into_slabs(const SlabPlan& plan, const PixelRect& tile, SlabRange slabs) {
  SlabIndices sorted;
  sorted.slabs = slabs;
  const auto list_of = [&](int slab, const SlabFacet& f) {
    return static_cast<std::size_t>(slab - slabs.first) * 2 + (f.along ? 0 : 1);
  };
  sorted.seeds.assign(static_cast<std::size_t>(slabs.last - slabs.first + 1) * 2 + 1, 0);
  for (const SlabFacet& f : plan.facets) {
    if (!meets(f, tile)) continue;
    const SlabRange met = common(f, slabs);
    for (int slab = met.first; slab <= met.last; ++slab) sorted.seeds[list_of(slab, f) + 1] += 3;
  }
  for (std::size_t i = 1; i < sorted.seeds.size(); ++i) sorted.seeds[i] += sorted.seeds[i - 1];
  sorted.indices.resize(sorted.seeds.back());
  std::vector<std::size_t> next(sorted.seeds.begin(), sorted.seeds.end() - 1);
  for (const SlabFacet& f : plan.facets) {
    if (!meets(f, tile)) continue;
    const SlabRange met = common(f, slabs);
    for (int slab = met.first; slab <= met.last; ++slab)
      for (std::uint32_t k = 0; k < 3; ++k) sorted.indices[next[list_of(slab, f)]++] = f.vertex + k;
  }
  return sorted;
}

}  // namespace gvbind::egl
