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

/// State of a bind before its weights (section 9). Sufficient for another falloff and for rules
/// that do not affect distances.
struct CachedDistances {
  CharacterDistances distances;
  WeightRules rules;         ///< of the rules, everything except bans
  bool rules_known = false;  ///< set once weights were computed
  PairScores scores;         ///< of fitted weights; empty for other methods
  std::uint64_t scored = 0;  ///< scores_key() of the options used for `scores`
  BindResult report;         ///< statistics and findings up to the distances; no weights
};

/// Hash of all inputs of the scores except distances: network, names and regions.
std::uint64_t scores_key(const BindOptions& options);

/// Keeps the distances of the nearest `labels` joints per voxel, 0: all. The result is that of a
/// search for `labels` joints.
void narrow(CharacterDistances& distances, int labels);

/// Stage "weights" and the findings after it. Completes the cached state.
void compute_weights(CachedDistances& kept, std::span<const Joint> joints,
                     const BindOptions& options, StageClock& clock, BindResult& result);

/// bind_skin() and bind_character() that also store their state in `kept`, with enough distances
/// for either limit rule.
BindResult bind_and_keep(const MeshView& mesh, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor, CachedDistances& kept);
BindResult bind_and_keep(Character&& character, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor, CachedDistances& kept);

/// The result of bind_skin() with these options, equal to the bit. The options may differ from the
/// cached ones in: alpha, max_influences, limit, prune, falloff, weights, network, names, and
/// regions, bans and alphas of the rules. Throws like bind_skin(), and Error(usage) for more
/// influences than a voxel has distances.
BindResult bind_kept(CachedDistances kept, std::span<const Joint> joints,
                     const BindOptions& options, const Monitor& monitor = {});

/// The state from which fitted_weights() computes the rows of vertices with any alpha, prune and
/// number of influences.
struct TunableScores {
  PairScores scores;
  std::vector<std::uint32_t> owner;   ///< by vertex: the joint of its rigid component, or no_owner
  std::vector<std::uint32_t> source;  ///< by vertex: the vertex whose row it copies, mostly itself
  int least_influences = 1;  ///< from these to most_influences the scores are the same; 0: no limit
  int most_influences = 1;
};

/// As bind_kept() with these options, which ask for fitted weights or heat and have no regions.
/// Throws like that.
TunableScores tunable_scores(CachedDistances kept, std::span<const Joint> joints,
                             const BindOptions& options);

struct PointWeights {
  SkinWeights rows;
  std::vector<double> outside;  ///< by point: distance to the solid, bind space; 0 inside
};

/// Weights at other points in the space of the mesh: inside the solid as WeightField::at(), outside
/// as at the nearest point inside. Points read on one side of a contact or beside a cut count as no
/// further outside than the vertex there. Options and errors as for bind_kept().
PointWeights kept_weights_at(CachedDistances kept, std::span<const Joint> joints,
                             const BindOptions& options, const PositionView& points);

/// Sum of the points' distances to the solid, bind space.
double distance_outside(const CharacterDistances& distances, const PositionView& points);

}  // namespace gvbind
