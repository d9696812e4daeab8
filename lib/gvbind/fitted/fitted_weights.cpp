#include "gvbind/fitted/fitted_weights.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

constexpr std::size_t points_per_row_block = 1024;
constexpr float min_share = 1e-5f;  // of a weight; alpha makes shares smaller than any limit

struct Row {
  std::size_t count = 0;
  Influence entry[max_pairs];
};

/// lambda(alpha) / lambda(0.4).
float sharpness(double alpha) {
  return static_cast<float>(lambda_of(alpha) / lambda_of(Falloff{}.alpha));
}

/// The pairs of one point.
struct RowPairs {
  std::size_t count = 0;
  std::uint32_t joint[max_pairs];
  float score[max_pairs];  ///< replaced by their shares later
  double nearest = 0.0;    ///< as in PointPairs
};

/// Replaces scores by shares. A score corresponds to the distance d_i for which equation 9 with
/// alpha 0.4 equals the softmax of the scores: d_i / d = exp((max_j s_j - s_i) / lambda(0.4)), d:
/// distance of the nearest joint.
void scores_to_shares(const FalloffCurve& curve, RowPairs& pairs) {
  const std::span<float> scores(pairs.score, pairs.count);
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

/// The largest shares as weights that sum to one.
void largest_weights(const RowPairs& pairs, const Falloff& falloff, float subtracted, Row& row) {
  const auto limit = static_cast<std::size_t>(falloff.max_influences);
  row.count = 0;
  float largest = 0.0f;
  for (std::size_t i = 0; i < pairs.count; ++i) largest = std::max(largest, pairs.score[i]);
  // Subtracted instead of used as a threshold, so that weights are continuous where a joint's ends.
  float less = std::min(subtracted, 0.5f * largest);
  if (falloff.limit == LimitRule::smooth && limit > 0 && pairs.count > limit) {
    float shares[max_pairs];
    std::copy_n(pairs.score, pairs.count, shares);
    std::nth_element(shares, shares + limit, shares + pairs.count, std::greater<>());
    less = std::max(less, static_cast<float>(share_lost(double{shares[limit]}, double{largest})));
  }
  for (std::size_t i = 0; i < pairs.count; ++i)
    if (pairs.score[i] > std::max(less, min_share))
      row.entry[row.count++] = {pairs.joint[i], pairs.score[i] - less};
  std::sort(row.entry, row.entry + row.count, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  if (limit > 0) row.count = std::min(row.count, limit);
  float sum = 0.0f;
  for (std::size_t i = 0; i < row.count; ++i) sum += row.entry[i].weight;
  for (std::size_t i = 0; i < row.count; ++i) row.entry[i].weight /= sum;
}

/// Removes pairs of joints that the point's region does not list, or that are banned by the joint
/// with most weight. `region`: may be null.
void remove_refused(const RegionField* region, const OwnerBan& bans, RowPairs& pairs) {
  const auto keep = [&](const auto& allows) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.count; ++i) {
      if (!allows(pairs.joint[i])) continue;
      pairs.joint[kept] = pairs.joint[i];
      pairs.score[kept++] = pairs.score[i];
    }
    pairs.count = kept;
  };
  if (region) keep([&](std::uint32_t joint) { return region->owns[joint]; });
  if (region || !bans || pairs.count == 0) return;
  const float* const best = std::max_element(pairs.score, pairs.score + pairs.count);
  const std::uint32_t owner = pairs.joint[best - pairs.score];
  keep([&](std::uint32_t joint) { return !bans(owner, joint); });
}

void append(const Row& row, SkinWeights& weights) {
  for (std::size_t i = 0; i < row.count; ++i) {
    weights.joint.push_back(row.entry[i].joint);
    weights.weight.push_back(row.entry[i].weight);
  }
  weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
}

SkinWeights joined(std::span<const SkinWeights> blocks) {
  std::size_t rows = 0, influences = 0;
  for (const SkinWeights& block : blocks) {
    rows += block.vertex_count();
    influences += block.joint.size();
  }
  SkinWeights all;
  all.first.reserve(rows + 1);
  all.joint.reserve(influences);
  all.weight.reserve(influences);
  for (const SkinWeights& block : blocks) {
    const auto before = static_cast<std::uint32_t>(all.joint.size());
    for (std::size_t i = 1; i < block.first.size(); ++i)
      all.first.push_back(before + block.first[i]);
    all.joint.insert(all.joint.end(), block.joint.begin(), block.joint.end());
    all.weight.insert(all.weight.end(), block.weight.begin(), block.weight.end());
  }
  return all;
}

/// `region_of`: by point, or no_region; empty if no point lies in a region.
SkinWeights rows_of(const CharacterDistances& distances, const WeightRules& rules,
                    const PairScores& scores, std::span<const std::uint32_t> region_of,
                    const Falloff& falloff) {
  const FalloffCurve curve(falloff);
  const std::size_t count = scores.first.size() - 1;
  std::vector<SkinWeights> blocks((count + points_per_row_block - 1) / points_per_row_block);
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    RowPairs pairs;
    Row row;
    for (std::size_t p = begin * points_per_row_block;
         p < std::min(count, end * points_per_row_block); ++p) {
      const std::uint32_t first = scores.first[p];
      pairs.count = scores.first[p + 1] - first;
      std::copy_n(scores.joint.begin() + first, pairs.count, pairs.joint);
      std::copy_n(scores.score.begin() + first, pairs.count, pairs.score);
      pairs.nearest = scores.nearest[p];
      const bool in_region = !region_of.empty() && region_of[p] != no_region;
      remove_refused(in_region ? &distances.regions[region_of[p]] : nullptr, rules.bans, pairs);
      scores_to_shares(curve, pairs);
      largest_weights(pairs, falloff, scores.of_heat ? 0.0f : min_fitted_weight, row);
      append(row, blocks[p / points_per_row_block]);
    }
  });
  return joined(blocks);
}

/// The joints of rigid components, as in component_owners(). Attached and grouped components are
/// scored like others.
std::vector<std::uint32_t> rigid_owners(const WeightRules& rules,
                                        const std::vector<bool>& grouped) {
  if (!rules.components) return {};
  std::vector<std::uint32_t> owner(rules.components->kind.size(), no_owner);
  for (std::size_t k = 0; k < owner.size(); ++k)
    if (rules.components->kind[k] == ComponentKind::rigid && (grouped.empty() || !grouped[k]))
      owner[k] = rules.components->joint[k];
  return owner;
}

}  // namespace

CharacterWeights fitted_weights(const CharacterDistances& distances, const WeightRules& rules,
                                const PairScores& scores, const Falloff& falloff) {
  CharacterWeights made;
  const auto& positions = distances.character.mesh.positions;
  made.rows = rows_of(distances, rules, scores, regions_of(distances, positions), falloff);
  const SkinWeights own = distances.regions.empty() ? SkinWeights{} : made.rows;
  made.owner = rigid_owners(rules, scores.grouped);
  release_components(distances.character.components, made.rows, made.owner);
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
  const CharacterWeights of_vertices =
      fitted_weights(distances, rules, vertex_scores(distances, rules, fitted), falloff);
  const PairScores scores = point_scores(distances, rules, fitted, points, nearest);
  const SkinWeights free =
      rows_of(distances, rules, scores, regions_of(distances, points), falloff);
  SkinWeights rows =
      with_rows_of_vertices(distances.character.components, of_vertices, nearest, free);
  if (distances.regions.empty()) return rows;
  // Offset by the same vector as the reading point of the nearest vertex.
  const std::span<const Eigen::Vector3i> read = distances.reading_points();
  std::vector<Eigen::Vector3i> reading(points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    reading[p] = points[p] + read[nearest[p]] - vertices[nearest[p]];
  bind_regions(distances, rules, falloff, {points, reading}, &free, rows);
  return rows;
}

}  // namespace gvbind
