#include "gvbind/fitted/fitted_weights.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/fitted/default_network.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

constexpr std::size_t points_per_block = 256;
const Falloff default_falloff;

struct Row {
  std::size_t count = 0;
  Influence entry[max_pairs];
};

/// lambda(alpha) / lambda(0.4).
float sharpness(double alpha) {
  return static_cast<float>(lambda_of(alpha) / lambda_of(Falloff{}.alpha));
}

/// Scores into what the pairs own. A score stands for the distance d_i at which equation 9 with
/// alpha 0.4 gives what the softmax of the scores does: d_i / d = exp((max_j s_j - s_i) /
/// lambda(0.4)), d that of the nearest joint.
void take_shares(const FalloffCurve& curve, const PointPairs& pairs, std::span<float> scores) {
  if (scores.empty()) return;
  if (curve.is_uniform() && curve.rule() == FalloffRule::paper) {
    softmax(scores, scores, sharpness(curve.alpha(0)));
    return;
  }
  const float top = *std::max_element(scores.begin(), scores.end());
  const float lambda = static_cast<float>(lambda_of(Falloff{}.alpha));
  float sum = 0.0f;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float below = top - scores[i];
    const std::uint32_t joint = pairs.joint[i];
    if (curve.rule() == FalloffRule::paper) {
      scores[i] = portable_exp(-below * sharpness(curve.alpha(joint)));
    } else {
      const double nearest = std::max(min_distance, pairs.nearest);
      const double distance = nearest * double{portable_exp(below / lambda)};
      scores[i] = static_cast<float>(curve.share(distance, nearest, joint));
    }
    sum += scores[i];
  }
  for (float& share : scores) share /= sum;
}

/// The largest shares, as weights that sum to one.
void take_largest(const PointPairs& pairs, std::span<const float> shares, int max_influences,
                  Row& row) {
  row.count = 0;
  float largest = 0.0f;
  for (const float share : shares) largest = std::max(largest, share);
  // Less, not just left out, so that nothing jumps where a joint's weight ends.
  const float less = std::min(min_fitted_weight, 0.5f * largest);
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] > less) row.entry[row.count++] = {pairs.joint[i], shares[i] - less};
  std::sort(row.entry, row.entry + row.count, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  if (max_influences > 0) row.count = std::min(row.count, static_cast<std::size_t>(max_influences));
  float sum = 0.0f;
  for (std::size_t i = 0; i < row.count; ++i) sum += row.entry[i].weight;
  for (std::size_t i = 0; i < row.count; ++i) row.entry[i].weight /= sum;
}

/// Leaves out the pairs of joints that the point's region, or the joint that owns most, allows
/// none. `region`: null where there is none.
void leave_out_refused(const RegionField* region, const OwnerBan& bans, PointPairs& pairs,
                       std::span<float> scores) {
  const auto keep = [&](const auto& allows) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.count; ++i) {
      if (!allows(pairs.joint[i])) continue;
      pairs.joint[kept] = pairs.joint[i];
      scores[kept++] = scores[i];
    }
    pairs.count = kept;
  };
  if (region) keep([&](std::uint32_t joint) { return region->owns[joint]; });
  if (region || !bans || pairs.count == 0) return;
  const auto best = std::max_element(scores.begin(), scores.begin() + pairs.count);
  const std::uint32_t owner = pairs.joint[best - scores.begin()];
  keep([&](std::uint32_t joint) { return !bans(owner, joint); });
}

/// What the points of rows_at() are.
struct FittedPoints {
  std::size_t count;
  std::vector<std::uint32_t> region;  ///< of each, or no_region; empty: of none
  std::function<PointSite(std::size_t point)> site;
};

SkinWeights rows_at(const CharacterDistances& distances, const WeightRules& rules,
                    const FittedRules& fitted, const Falloff& falloff, const FittedPoints& points) {
  const FalloffCurve curve(falloff);
  const std::size_t count = points.count;
  const auto region_of = [&](std::size_t point) -> const RegionField* {
    const std::uint32_t region = points.region.empty() ? no_region : points.region[point];
    return region == no_region ? nullptr : &distances.regions[region];
  };
  std::vector<std::vector<Row>> blocks((count + points_per_block - 1) / points_per_block);
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    PointPairs pairs;
    float score[max_pairs];
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t first = b * points_per_block;
      blocks[b].resize(std::min(points_per_block, count - first));
      for (std::size_t k = 0; k < blocks[b].size(); ++k) {
        pairs_at(distances, rules, fitted.falloff, fitted.context, points.site(first + k), pairs);
        fitted.scorer.score({&pairs.feature[0][0], pairs.count * pair_feature_count},
                            {score, pairs.count});
        leave_out_refused(region_of(first + k), rules.bans, pairs, {score, pairs.count});
        const std::span<float> scores(score, pairs.count);
        take_shares(curve, pairs, scores);
        take_largest(pairs, scores, falloff.max_influences, blocks[b][k]);
      }
    }
  });
  SkinWeights weights;
  weights.first.reserve(count + 1);
  for (const std::vector<Row>& block : blocks)
    for (const Row& row : block) {
      for (std::size_t i = 0; i < row.count; ++i) {
        weights.influence.push_back(row.entry[i].joint);
        weights.weight.push_back(row.entry[i].weight);
      }
      weights.first.push_back(static_cast<std::uint32_t>(weights.influence.size()));
    }
  return weights;
}

/// The joints of rigid components, as component_owners() lists them; attached ones bend as fitted.
std::vector<std::uint32_t> rigid_owners(const WeightRules& rules) {
  if (!rules.components) return {};
  std::vector<std::uint32_t> owner(rules.components->kind.size(), no_owner);
  for (std::size_t k = 0; k < owner.size(); ++k)
    if (rules.components->kind[k] == ComponentKind::rigid) owner[k] = rules.components->joint[k];
  return owner;
}

}  // namespace

FittedRules fitted_rules(const CharacterDistances& distances, const WeightRules& rules,
                         std::span<const Joint> joints, const BindOptions& options) {
  CharacterWeights falloff = character_weights(distances, rules, default_falloff);
  PairContext context = pair_context(distances, joints, options.names, options.outside);
  return {std::move(falloff), std::move(context),
          PairScorer(options.network ? *options.network : default_network())};
}

CharacterWeights fitted_weights(const CharacterDistances& distances, const WeightRules& rules,
                                const FittedRules& fitted, const Falloff& falloff) {
  CharacterWeights made;
  const auto& positions = distances.character.mesh.positions;
  const auto site = [&](std::size_t vertex) {
    return vertex_site(distances, fitted.falloff, fitted.context,
                       static_cast<std::uint32_t>(vertex));
  };
  made.rows = rows_at(distances, rules, fitted, falloff,
                      {positions.size(), regions_of(distances, positions), site});
  const SkinWeights own = distances.regions.empty() ? SkinWeights{} : made.rows;
  made.owner = rigid_owners(rules);
  made.rigid = bind_rigid_components(distances.character.components, made.owner, made.rows);
  made.unreached = fill_empty_rows(positions, made.rows);
  bind_regions(distances, rules, falloff, {positions, distances.reading_points()}, &own, made.rows);
  return made;
}

SkinWeights fitted_weights_of_points(const CharacterDistances& distances, const WeightRules& rules,
                                     const FittedRules& fitted, const Falloff& falloff,
                                     std::span<const Eigen::Vector3i> points) {
  const std::vector<Eigen::Vector3i>& vertices = distances.character.mesh.positions;
  const std::vector<std::uint32_t> nearest = nearest_vertices(vertices, points);
  const SkinWeights by_falloff = weights_of_points(distances, rules, default_falloff, points);
  const CharacterWeights of_vertices = fitted_weights(distances, rules, fitted, falloff);
  const auto site = [&](std::size_t p) {
    PointSite at = vertex_site(distances, fitted.falloff, fitted.context, nearest[p]);
    at.reading += points[p] - at.at;
    at.at = points[p];
    at.falloff = by_falloff.row(p);
    return at;
  };
  const SkinWeights free = rows_at(distances, rules, fitted, falloff,
                                   {points.size(), regions_of(distances, points), site});
  SkinWeights rows =
      with_rows_of_vertices(distances.character.components, of_vertices, nearest, free);
  if (distances.regions.empty()) return rows;
  std::vector<Eigen::Vector3i> reading(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) reading[p] = site(p).reading;
  bind_regions(distances, rules, falloff, {points, reading}, &free, rows);
  return rows;
}

}  // namespace gvbind
