#pragma once

// Tested by tests/unit/bind/distance_cache_test.cpp.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gvbind/bind_skin.h"
#include "gvbind/bind_stages.h"
#include "gvbind/fitted/fitted_weights.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

/// What a bind knew before it weighed (section 9): other falloff, and rules that leave distances
/// alone, need no more.
struct CachedDistances {
  CharacterDistances distances;
  WeightRules rules;         ///< what of these the options do not say: all but bans
  bool rules_known = false;  ///< once weights were made
  PairScores scores;         ///< of fitted weights; of no points where there are none
  std::uint64_t scored = 0;  ///< scores_key() of the options that the scores were made with
  BindResult report;         ///< statistics and findings up to the distances; no weights
};

/// All that scores depend on beside distances, as a hash: the network, names, regions and bans.
std::uint64_t scores_key(const BindOptions& options);

/// Takes the distances of joints beyond the nearest `labels` of a voxel away; 0: leaves all. What a
/// search for that many would have found is left.
void narrow(CharacterDistances& distances, int labels);

/// Stage "weights" and what is reported after it. Completes what is kept.
void weigh_character(CachedDistances& kept, std::span<const Joint> joints,
                     const BindOptions& options, StageClock& clock, BindResult& result);

/// bind_skin() and bind_character(), which keep in `kept` what they knew, with distances that serve
/// either rule of the limit.
BindResult bind_and_keep(const MeshView& mesh, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor, CachedDistances& kept);
BindResult bind_and_keep(Character&& character, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor, CachedDistances& kept);

/// What bind_skin() gives with these options, the weights to the bit. The options may differ from
/// those that the distances were kept with in: alpha, max_influences, limit, prune, falloff,
/// weights, network, names, and in regions, bans and alphas of the rules. Throws as bind_skin(),
/// and Error(usage) for more influences than a voxel has distances.
BindResult bind_kept(CachedDistances kept, std::span<const Joint> joints,
                     const BindOptions& options, const Monitor& monitor = {});

struct PointWeights {
  SkinWeights rows;
  std::vector<double> outside;  ///< of each point, from the solid, in units of bind space; 0 inside
};

/// Weights at other points, in the space of the mesh: those of WeightField::at(), and outside the
/// solid those of the nearest place inside. What is read on one side of a contact or beside a cut
/// is no further out than the vertex there. Options and errors as of bind_kept().
PointWeights kept_weights_at(CachedDistances kept, std::span<const Joint> joints,
                             const BindOptions& options, const PositionView& points);

/// The sum of how far points lie outside the solid, in units of bind space.
double distance_outside(const CharacterDistances& distances, const PositionView& points);

}  // namespace gvbind
