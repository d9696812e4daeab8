#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/character_distances.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

constexpr std::uint32_t no_region = 0xffffffffu;

/// Of each point of the lattice, the last region that holds it, or no_region. Empty where there are
/// no regions.
std::vector<std::uint32_t> regions_of(const CharacterDistances& distances,
                                      std::span<const Eigen::Vector3i> points);

/// How many vertices each region holds, also those that a later one takes.
std::vector<std::size_t> vertices_in_regions(const CharacterDistances& distances);

/// Where points are, and where their distances are read.
struct RegionPoints {
  std::span<const Eigen::Vector3i> at, reading;
};

/// Gives points in regions rows of the region's joints alone (section 9): the row of `own`, if
/// given and not empty, else by the falloff over the distances of those joints. Where none of them
/// reaches, the first has all weight.
void bind_regions(const CharacterDistances& distances, const WeightRules& rules,
                  const Falloff& falloff, const RegionPoints& points, const SkinWeights* own,
                  SkinWeights& rows);

}  // namespace gvbind
