#include "rig/neck.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gvbind::rig {

namespace {

/// Indices of the narrowest points of a path, each between two deeper parts, from the crown on. The
/// last one may not have a deeper part below it. `end`: points from this index on do not count.
std::vector<std::size_t> find_waists(const BodyPath& path, std::size_t end,
                                     const NeckOptions& options) {
  std::vector<std::size_t> waists;
  std::size_t head = 0;
  bool is_narrow = false;
  for (std::size_t i = 0; i < end; ++i) {
    const double depth = path.depths[i];
    if (is_narrow) {
      if (depth < path.depths[waists.back()]) waists.back() = i;
      if (depth > options.widened * path.depths[waists.back()]) {
        is_narrow = false;
        head = i;
      }
    } else if (depth > path.depths[head]) {
      head = i;
    } else if (depth < options.narrow * path.depths[head]) {
      is_narrow = true;
      waists.push_back(i);
    }
  }
  return waists;
}

/// The neck joint is one depth below the waist, the head half a depth above it.
NeckSpan around_waist(const BodyPath& path, std::size_t waist) {
  const double at = path.lengths[waist], depth = path.depths[waist];
  return {std::min(path.length(), at + depth), std::max(0.0, at - 0.5 * depth)};
}

}  // namespace

NeckSpan human_neck(const BodyPath& path, double shoulders, double size,
                    const NeckOptions& options) {
  const NeckSpan usual{std::max(0.0, shoulders - options.neck_above * size),
                       std::max(0.0, shoulders - options.head_above * size)};
  const auto end = static_cast<std::size_t>(std::ranges::upper_bound(path.lengths, shoulders) -
                                            path.lengths.begin());
  const std::vector<std::size_t> waists = find_waists(path, end, options);
  if (waists.empty() || path.lengths[waists.back()] < shoulders - options.reach * size)
    return usual;
  const NeckSpan found = around_waist(path, waists.back());
  return {std::lerp(std::min(found.neck, shoulders), usual.neck, options.usual_share),
          std::lerp(found.head, usual.head, options.usual_share)};
}

std::optional<NeckSpan> first_waist(const BodyPath& path, const NeckOptions& options) {
  const std::vector<std::size_t> waists = find_waists(path, path.points.size(), options);
  if (waists.empty()) return std::nullopt;
  return around_waist(path, waists.front());
}

}  // namespace gvbind::rig
