#include "gvbind/fitted/fitted_weights.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/base/portable_log.h"
#include "gvbind/error.h"
#include "gvbind/fitted/default_network.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

constexpr std::size_t points_per_network_block = 256;
constexpr float min_share = 1e-5f;  // of a weight; alpha makes shares smaller than any limit
const Falloff default_falloff;

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

/// The scores of one point.
struct PointScores {
  std::size_t count = 0;
  double nearest = 0.0;  ///< as PointPairs has it
  const std::uint32_t* joint = nullptr;
  const float* score = nullptr;
};

/// Scores of many points; `scores_of(point, take)` calls take(PointScores) for each.
template <typename ScoresOf>
PairScores collect_scores(std::size_t count, const ScoresOf& scores_of) {
  std::vector<PairScores> blocks((count + points_per_network_block - 1) / points_per_network_block);
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      PairScores& block = blocks[b];
      const std::size_t last = std::min(count, (b + 1) * points_per_network_block);
      scores_of(b * points_per_network_block, last, [&](const PointScores& of_point) {
        block.joint.insert(block.joint.end(), of_point.joint, of_point.joint + of_point.count);
        block.score.insert(block.score.end(), of_point.score, of_point.score + of_point.count);
        block.nearest.push_back(of_point.nearest);
        block.first.push_back(static_cast<std::uint32_t>(block.joint.size()));
      });
    }
  });
  PairScores all;
  all.first.reserve(count + 1);
  for (const PairScores& block : blocks) {
    const auto before = static_cast<std::uint32_t>(all.joint.size());
    for (std::size_t i = 1; i < block.first.size(); ++i)
      all.first.push_back(before + block.first[i]);
    all.joint.insert(all.joint.end(), block.joint.begin(), block.joint.end());
    all.score.insert(all.score.end(), block.score.begin(), block.score.end());
    all.nearest.insert(all.nearest.end(), block.nearest.begin(), block.nearest.end());
  }
  return all;
}

/// Scores of the network; `site`: maps an index to a PointSite.
PairScores network_scores(const CharacterDistances& distances, const WeightRules& rules,
                          const FittedRules& fitted, std::size_t count,
                          const std::function<PointSite(std::size_t point)>& site) {
  return collect_scores(count, [&](std::size_t first, std::size_t last, const auto& take) {
    PointPairs pairs;
    float score[max_pairs];
    int place[max_pairs];
    for (std::size_t p = first; p < last; ++p) {
      const PointSite at = site(p);
      pairs_at(distances, rules, fitted.falloff, fitted.context, at, pairs);
      const std::span<const float> features(&pairs.feature[0][0], pairs.count * pair_feature_count);
      if (fitted.groups.share_component(at.component)) {
        pairs.count = 1;
        pairs.joint[0] = rules.components->joint[at.component];
        score[0] = 0.0f;
      } else {
        fitted.scorer->score({pairs.joint, pairs.count}, features, {score, pairs.count});
      }
      if (fitted.like) {
        for (std::size_t i = 0; i < pairs.count; ++i) place[i] = fitted.like_place[pairs.joint[i]];
        correct_scores(*fitted.like, features, {place, pairs.count}, {score, pairs.count});
      }
      pairs.count =
          share_in_groups(fitted.groups, at.at.cast<double>(), pairs.joint, score, pairs.count);
      take({pairs.count, pairs.count == 0 ? 0.0 : pairs.nearest, pairs.joint, score});
    }
  });
}

constexpr double min_heat = 1e-4;  // smaller values are ignored

/// Scores are logarithms of heat, so their softmax is the heat again. `vertex`: by point, the
/// nearest.
PairScores heat_scores(const SurfaceHeat& heat, std::span<const Eigen::Vector3i> points,
                       const std::function<std::size_t(std::size_t point)>& vertex) {
  PairScores scores =
      collect_scores(points.size(), [&](std::size_t first, std::size_t last, const auto& take) {
        std::vector<JointHeat> found;
        std::uint32_t joint[max_pairs];
        float score[max_pairs];
        for (std::size_t p = first; p < last; ++p) {
          const std::uint32_t place = heat.surface.place[vertex(p)];
          heat_at(heat, points[p].cast<double>() / lattice_size, place, found);
          std::size_t count = 0;
          for (const JointHeat& h : found) {
            if (count == max_pairs || double{h.heat} < min_heat) break;
            joint[count] = h.joint;
            score[count++] = static_cast<float>(portable_log(double{h.heat}));
          }
          take({count, heat.nearest[place], joint, score});
        }
      });
  scores.of_heat = true;
  return scores;
}

/// `region_of`: by point, or no_region; empty if no point lies in a region.
SkinWeights rows_of(const CharacterDistances& distances, const WeightRules& rules,
                    const PairScores& scores, std::span<const std::uint32_t> region_of,
                    const Falloff& falloff) {
  const FalloffCurve curve(falloff);
  const std::size_t count = scores.first.size() - 1;
  std::vector<Row> rows(count);
  parallel_for(count, points_per_network_block, [&](std::size_t begin, std::size_t end) {
    RowPairs pairs;
    for (std::size_t p = begin; p < end; ++p) {
      const std::uint32_t first = scores.first[p];
      pairs.count = scores.first[p + 1] - first;
      std::copy_n(scores.joint.begin() + first, pairs.count, pairs.joint);
      std::copy_n(scores.score.begin() + first, pairs.count, pairs.score);
      pairs.nearest = scores.nearest[p];
      const bool in_region = !region_of.empty() && region_of[p] != no_region;
      remove_refused(in_region ? &distances.regions[region_of[p]] : nullptr, rules.bans, pairs);
      scores_to_shares(curve, pairs);
      largest_weights(pairs, falloff, scores.of_heat ? 0.0f : min_fitted_weight, rows[p]);
    }
  });
  SkinWeights weights;
  weights.first.reserve(count + 1);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.count; ++i) {
      weights.joint.push_back(row.entry[i].joint);
      weights.weight.push_back(row.entry[i].weight);
    }
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  return weights;
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

/// For scores: networks are fitted on characters without bans, and equal scores serve any bans.
WeightRules without_bans(WeightRules rules) {
  rules.bans = nullptr;
  return rules;
}

/// Vertices that differ only in attributes (seams of normals and texture coordinates) have one
/// site.
struct UniqueSites {
  std::vector<std::uint32_t> vertex;  ///< of each site
  std::vector<std::uint32_t> site;    ///< by vertex
};

UniqueSites unique_sites(const CharacterDistances& distances, const HeatSurface& surface) {
  const Character& c = distances.character;
  const std::span<const Eigen::Vector3i> read = distances.reading_points();
  UniqueSites unique;
  for (std::uint32_t v = 0; v < c.welded.size(); ++v) {
    const std::uint32_t w = c.welded[v];
    const bool same = w != v && read[w] == read[v] &&
                      c.components.component[w] == c.components.component[v] &&
                      surface.place[w] == surface.place[v];
    unique.site.push_back(same ? unique.site[w] : static_cast<std::uint32_t>(unique.vertex.size()));
    if (!same) unique.vertex.push_back(v);
  }
  return unique;
}

PairScores scores_by_vertex(const PairScores& of_sites, std::span<const std::uint32_t> site) {
  PairScores all;
  all.first.reserve(site.size() + 1);
  all.nearest.reserve(site.size());
  for (const std::uint32_t s : site) {
    for (std::uint32_t i = of_sites.first[s]; i < of_sites.first[s + 1]; ++i) {
      all.joint.push_back(of_sites.joint[i]);
      all.score.push_back(of_sites.score[i]);
    }
    all.first.push_back(static_cast<std::uint32_t>(all.joint.size()));
    all.nearest.push_back(of_sites.nearest[s]);
  }
  return all;
}

}  // namespace

FittedRules fitted_rules(const CharacterDistances& distances, const WeightRules& rules,
                         std::span<const Joint> joints, const BindOptions& options) {
  if (options.weights == WeightRule::heat)
    return {{}, {}, std::nullopt, surface_heat(distances, joints, options.mesh_starts), {}, {}, {}};
  CharacterWeights falloff = character_weights(distances, without_bans(rules), default_falloff);
  PairContext context =
      pair_context(distances, joints, {options.names, options.outside, options.mesh_starts});
  std::vector<int> place;
  if (options.like) {
    place = painted_joints(*options.like, joints);
    if (std::ranges::all_of(place, [](int p) { return p < 0; }))
      throw Error(ErrorKind::cannot_bind,
                  "no joint has the name or the place of a joint of the characters of --like; bind "
                  "without --like, or with one of the same skeleton");
  }
  PairScorer scorer(options.network ? *options.network : default_networks(), feature_groups(),
                    joint_features(context.joints));
  JointGroups groups;
  if (options.names == NameRule::use && !options.like)
    groups = joint_groups(joints, context.joints.position, distances.bones);
  if (rules.components)
    groups.components = grouped_components(groups, distances.character, *rules.components);
  return {std::move(falloff), std::move(context), std::move(scorer), {},
          options.like,       std::move(place),   std::move(groups)};
}

PairScores vertex_scores(const CharacterDistances& distances, const WeightRules& rules,
                         const FittedRules& fitted) {
  const auto& positions = distances.character.mesh.positions;
  if (fitted.heat)
    return heat_scores(*fitted.heat, positions, [](std::size_t vertex) { return vertex; });
  const UniqueSites unique = unique_sites(distances, fitted.context.heat.surface);
  PairScores scores =
      network_scores(distances, rules, fitted, unique.vertex.size(), [&](std::size_t s) {
        return vertex_site(distances, fitted.falloff, fitted.context, unique.vertex[s]);
      });
  if (unique.vertex.size() != positions.size()) scores = scores_by_vertex(scores, unique.site);
  scores.grouped = fitted.groups.components;
  return scores;
}

CharacterWeights fitted_weights(const CharacterDistances& distances, const WeightRules& rules,
                                const PairScores& scores, const Falloff& falloff) {
  CharacterWeights made;
  const auto& positions = distances.character.mesh.positions;
  made.rows = rows_of(distances, rules, scores, regions_of(distances, positions), falloff);
  const SkinWeights own = distances.regions.empty() ? SkinWeights{} : made.rows;
  made.owner = rigid_owners(rules, scores.grouped);
  made.rigid = bind_rigid_components(distances.character.components, made.owner, made.rows);
  made.unreached = fill_empty_rows(positions, made.rows);
  bind_regions(distances, rules, falloff, {positions, distances.reading_points()}, &own, made.rows);
  return made;
}

namespace {

/// Scores of arbitrary points; each uses the component, normal and side of its nearest vertex.
PairScores point_scores(const CharacterDistances& distances, const WeightRules& rules,
                        const FittedRules& fitted, std::span<const Eigen::Vector3i> points,
                        std::span<const std::uint32_t> nearest) {
  if (fitted.heat)
    return heat_scores(*fitted.heat, points, [&](std::size_t p) { return nearest[p]; });
  const SkinWeights by_falloff =
      weights_of_points(distances, without_bans(rules), default_falloff, points);
  return network_scores(distances, rules, fitted, points.size(), [&](std::size_t p) {
    PointSite at = vertex_site(distances, fitted.falloff, fitted.context, nearest[p]);
    at.reading += points[p] - at.at;
    at.at = points[p];
    at.falloff = by_falloff.row(p);
    if (points[p] == distances.character.mesh.positions[nearest[p]]) return at;
    const SurfaceHeat& heat = fitted.context.heat;
    thread_local std::vector<JointHeat> found;
    heat_at(heat, points[p].cast<double>() / lattice_size, heat.surface.place[nearest[p]], found);
    at.heat = found;
    return at;
  });
}

}  // namespace

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
