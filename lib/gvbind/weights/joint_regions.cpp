#include "gvbind/weights/joint_regions.h"

#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/weights/falloff.h"

namespace gvbind {

namespace {

/// One row per point.
SkinWeights region_rows(const CharacterDistances& distances, const WeightRules& rules,
                        const Falloff& falloff, const RegionField& region,
                        std::span<const Eigen::Vector3i> points) {
  SkinWeights rows;
  if (!region.field.labels.empty())
    rows = weights_at(distances.voxels, region.field, points, falloff,
                      rules.correction ? &*rules.correction : nullptr);
  else
    rows.first.assign(points.size() + 1, 0);
  return rows;
}

}  // namespace

std::vector<std::uint32_t> regions_of(const CharacterDistances& distances,
                                      std::span<const Eigen::Vector3i> points) {
  if (distances.regions.empty()) return {};
  std::vector<std::uint32_t> region(points.size(), no_region);
  const UnitCube& cube = distances.character.cube;
  parallel_for(points.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const Eigen::Vector3d at = cube.to_bind(points[p].cast<double>());
      for (std::size_t r = 0; r < distances.regions.size(); ++r)
        if (distance_to(distances.regions[r].where, at) <= 0.0)
          region[p] = static_cast<std::uint32_t>(r);
    }
  });
  return region;
}

std::vector<std::size_t> vertices_in_regions(const CharacterDistances& distances) {
  std::vector<std::size_t> counts(distances.regions.size(), 0);
  const UnitCube& cube = distances.character.cube;
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (const Eigen::Vector3i& vertex : distances.character.mesh.positions)
      counts[r] +=
          distance_to(distances.regions[r].where, cube.to_bind(vertex.cast<double>())) <= 0.0;
  return counts;
}

void bind_regions(const CharacterDistances& distances, const WeightRules& rules,
                  const Falloff& falloff, const RegionPoints& points, const SkinWeights* own,
                  SkinWeights& rows) {
  const std::vector<std::uint32_t> region = regions_of(distances, points.at);
  if (region.empty()) return;
  std::vector<std::vector<Eigen::Vector3i>> within(distances.regions.size());
  std::vector<std::size_t> place(points.at.size());
  for (std::size_t p = 0; p < region.size(); ++p) {
    if (region[p] == no_region) continue;
    place[p] = within[region[p]].size();
    within[region[p]].push_back(points.reading[p]);
  }
  std::vector<SkinWeights> by_falloff;
  for (std::size_t r = 0; r < within.size(); ++r)
    by_falloff.push_back(region_rows(distances, rules, falloff, distances.regions[r], within[r]));
  SkinWeights bound;
  for (std::size_t p = 0; p < region.size(); ++p) {
    if (region[p] == no_region) {
      bound.append_row(rows, p);
    } else if (own && !own->row(p).empty()) {
      bound.append_row(*own, p);
    } else if (!by_falloff[region[p]].row(place[p]).empty()) {
      bound.append_row(by_falloff[region[p]], place[p]);
    } else {
      bound.joint.push_back(distances.regions[region[p]].joints.front());
      bound.weight.push_back(1.0f);
      bound.first.push_back(static_cast<std::uint32_t>(bound.joint.size()));
    }
  }
  rows = std::move(bound);
}

}  // namespace gvbind
