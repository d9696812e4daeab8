#include "gvbind/fitted/pair_scores.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/base/portable_log.h"
#include "gvbind/error.h"
#include "gvbind/fitted/default_network.h"
#include "gvbind/weights/falloff.h"

namespace gvbind {

namespace {

constexpr std::size_t points_per_network_block = 256;
const Falloff default_falloff;

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
  std::size_t pairs = 0;
  for (const PairScores& block : blocks) pairs += block.joint.size();
  all.first.reserve(count + 1);
  all.nearest.reserve(count);
  all.joint.reserve(pairs);
  all.score.reserve(pairs);
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
  all.joint.reserve(of_sites.joint.size());
  all.score.reserve(of_sites.score.size());
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

}  // namespace gvbind
