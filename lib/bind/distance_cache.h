#pragma once

// Tested by tests/unit/bind/distance_cache_test.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/cached_distances.h"

namespace gvbind {

/// Hashes of the data that distances were computed from.
struct CacheKey {
  std::uint64_t mesh = 0;      ///< positions and triangles of the solid
  std::uint64_t skeleton = 0;  ///< its joints: names, places, parents, and which deform
  std::uint64_t rules = 0;     ///< edits, and volumes where distances begin
  bool operator==(const CacheKey&) const = default;
};

CacheKey field_source(const MeshView& mesh, std::span<const Joint> joints, const BindRules& rules);

/// Whether two skeletons have the same joints, with positions that differ only by rounding: the
/// joints of an input without a skin and of its output do.
bool same_skeleton(std::span<const Joint> a, std::span<const Joint> b);

/// One solid of a scene.
struct CachedSolid {
  CacheKey source;
  std::vector<Joint> joints;
  std::vector<std::uint32_t> mesh_starts;  ///< as BindOptions::mesh_starts
  CachedDistances kept;
};

/// The distances of a bind, and how it was called.
struct DistanceCache {
  std::string input;  ///< from the directory of the field's file; so are paths among the options
  std::vector<std::pair<std::string, std::vector<std::string>>> options;  ///< names and values
  int resolution = 0;
  std::vector<CachedSolid> solids;
};

/// A file of distances: the line "gvbind field 2", then pack_blocks() of all that DistanceCache
/// holds and a bind cannot work out again at once. Regions are left out: their distances are
/// searched again.
std::vector<std::uint8_t> encode_field(const DistanceCache& field);

/// Accepts untrusted bytes; the result is safe to compute weights from. Throws Error(input) with
/// the fault and a remedy.
DistanceCache decode_field(std::span<const std::uint8_t> bytes);

}  // namespace gvbind
