#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/character_distances.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

constexpr std::uint32_t no_region = 0xffffffffu;

/// By lattice point, the last region that contains it, or no_region. Empty without regions.
std::vector<std::uint32_t> regions_of(const CharacterDistances& distances,
                                      std::span<const Eigen::Vector3i> points);

/// Number of vertices in each region, including those that a later region overrides.
std::vector<std::size_t> vertices_in_regions(const CharacterDistances& distances);

/// Points, and where their distances are read.
struct RegionPoints {
  std::span<const Eigen::Vector3i> at, reading;
};

/// Binds points in regions to the region's joints only (section 9): by the row of `own`, if given
/// and not empty, else by the falloff over the distances of those joints. If none of them reaches
/// the point, the first joint gets all weight.
void bind_regions(const CharacterDistances& distances, const WeightRules& rules,
                  const Falloff& falloff, const RegionPoints& points, const SkinWeights* own,
                  SkinWeights& rows);

}  // namespace gvbind
