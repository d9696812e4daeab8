#include "fit/like.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "bind/bind_scene.h"
#include "bind/input_file.h"
#include "character/selection.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind::fit {

namespace {

constexpr float usual_prior = 0.3f;                          // as measured with one sibling
constexpr float priors[] = {0.1f, usual_prior, 1.0f, 3.0f};  // compared with two or more
constexpr float padding = 1e6f;                              // a feature that nothing is near to
constexpr double min_gain = 0.001;                           // L1, for files that help
constexpr std::size_t influences = 4;                        // of the rows that are judged

/// Vertices of a sibling: every `step`th from `start`.
struct Part {
  const Sibling* sibling;
  std::size_t start = 0, step = 1;
};

/// Scores of the networks for the pairs of a vertex.
void score_vertex(const PairScorer& scorer, const SampleSet& set, std::size_t v,
                  std::span<float> scores) {
  scorer.score(
      {set.features.data() + set.first[v] * pair_feature_count, scores.size() * pair_feature_count},
      scores);
}

std::vector<float> scale_of(const PairNetwork& network) {
  const float reach = like_reach * std::sqrt(2.0f * static_cast<float>(point_number_count));
  std::vector<float> scale;
  for (std::size_t f = 0; f < point_number_count; ++f) scale.push_back(network.scale[f] / reach);
  return scale;
}

/// A pair of a sibling.
struct PaintedPair {
  const float* features;
  float difference;
};

PaintedPairs::OfJoint packed(const std::string& key, const std::vector<PaintedPair>& pairs,
                             const std::vector<float>& scale) {
  PaintedPairs::OfJoint of{key, {}, {}};
  const std::size_t padded = (pairs.size() + pair_block - 1) / pair_block * pair_block;
  of.difference.assign(padded, 0.0f);
  of.point.assign(padded * point_number_count, padding);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t block = i / pair_block * pair_block;
    of.difference[i] = pairs[i].difference;
    for (std::size_t f = 0; f < point_number_count; ++f)
      of.point[block * point_number_count + f * pair_block + i - block] =
          pairs[i].features[f] * scale[f];
  }
  return of;
}

PaintedPairs painted_by(std::span<const Part> parts, const FittedNetworks& networks,
                        const PairScorer& scorer) {
  PaintedPairs painted;
  painted.prior = usual_prior;
  painted.scale = scale_of(networks.networks.front());
  std::map<std::string, std::vector<PaintedPair>> by_key;
  float shares[max_pairs];
  for (const Part& part : parts) {
    const SampleSet& set = part.sibling->samples;
    const std::vector<std::string> of_joint = keys_of(part.sibling->joints);
    for (std::size_t v = part.start; v < set.vertex_count(); v += part.step) {
      const std::span<float> of_vertex(shares, set.pair_count(v));
      score_vertex(scorer, set, v, of_vertex);
      softmax(of_vertex, of_vertex);
      for (std::size_t p = set.first[v]; p < set.first[v + 1]; ++p)
        by_key[of_joint[set.joint[p]]].push_back(
            {set.features.data() + p * pair_feature_count, set.own[p] - shares[p - set.first[v]]});
    }
  }
  by_key.erase("");
  for (const auto& [key, pairs] : by_key)
    painted.joints.push_back(packed(key, pairs, painted.scale));
  for (const Part& part : parts) {
    PaintedPairs::Skeleton skeleton{part.sibling->joints, {}};
    for (const std::string& key : keys_of(skeleton.joints))
      skeleton.place.push_back(place_of_key(painted, key));
    painted.skeletons.push_back(std::move(skeleton));
  }
  return painted;
}

/// L1 distance of the largest shares to the weights of the vertex.
double vertex_l1(std::span<float> shares, const SampleSet& set, std::size_t v) {
  std::vector<float> sorted(shares.begin(), shares.end());
  std::ranges::sort(sorted, std::greater<>());
  const float least = sorted.size() > influences ? sorted[influences - 1] : 0.0f;
  float sum = 0.0f;
  for (float& share : shares) sum += share = share < least ? 0.0f : share;
  double l1 = set.elsewhere[v];
  for (std::size_t p = 0; p < shares.size(); ++p)
    l1 += std::abs(double{shares[p]} / sum - set.own[set.first[v] + p]);
  return l1;
}

/// Mean over the vertices of a part; `painted`: null for the networks alone.
double l1_of(const Part& part, const PairScorer& scorer, const PaintedPairs* painted) {
  const SampleSet& set = part.sibling->samples;
  const std::vector<Joint>& joints = part.sibling->joints;
  const std::vector<int> place =
      painted ? painted_joints(*painted, joints) : std::vector<int>(joints.size(), -1);
  float scores[max_pairs];
  int of_pair[max_pairs];
  double sum = 0.0, vertices = 0.0;
  for (std::size_t v = part.start; v < set.vertex_count(); v += part.step) {
    const std::span<float> of_vertex(scores, set.pair_count(v));
    if (of_vertex.empty()) continue;
    score_vertex(scorer, set, v, of_vertex);
    for (std::size_t p = 0; p < of_vertex.size(); ++p)
      of_pair[p] = place[set.joint[set.first[v] + p]];
    if (painted)
      correct_scores(*painted,
                     {set.features.data() + set.first[v] * pair_feature_count,
                      of_vertex.size() * pair_feature_count},
                     {of_pair, of_vertex.size()}, of_vertex);
    softmax(of_vertex, of_vertex);
    sum += vertex_l1(of_vertex, set, v);
    vertices += 1.0;
  }
  return vertices > 0.0 ? sum / vertices : 0.0;
}

/// One sibling: half of its vertices follows the other half.
void judge_halves(const Sibling& sibling, const FittedNetworks& networks, const PairScorer& scorer,
                  LikeFit& fit) {
  const Part known[] = {{&sibling, 0, 2}};
  const Part judged{&sibling, 1, 2};
  const PaintedPairs painted = painted_by(known, networks, scorer);
  fit.without = l1_of(judged, scorer, nullptr);
  fit.with = l1_of(judged, scorer, &painted);
}

/// Two siblings or more: each follows the others. Returns the best weight of the networks.
float judge_siblings(std::span<const Sibling> siblings, const FittedNetworks& networks,
                     const PairScorer& scorer, LikeFit& fit) {
  constexpr std::size_t judges = 200;  // vertices of a sibling
  std::vector<double> with(std::size(priors), 0.0);
  const auto count = static_cast<double>(siblings.size());
  for (const Sibling& left_out : siblings) {
    std::vector<Part> others;
    for (const Sibling& other : siblings)
      if (&other != &left_out) others.push_back({&other});
    PaintedPairs painted = painted_by(others, networks, scorer);
    const Part judged{&left_out, 0,
                      std::max<std::size_t>(1, left_out.samples.vertex_count() / judges)};
    fit.without += l1_of(judged, scorer, nullptr) / count;
    for (std::size_t i = 0; i < with.size(); ++i) {
      painted.prior = priors[i];
      with[i] += l1_of(judged, scorer, &painted) / count;
    }
  }
  const auto best = std::ranges::min_element(with);
  fit.with = *best;
  return priors[best - with.begin()];
}

}  // namespace

Sibling read_sibling(const std::string& file, std::size_t vertices, const ReadLimits& limits) {
  InputFile input = read_to_patch(file, limits);
  return naming(file, [&] {
    if (const std::string why = why_unfit(input.scene); !why.empty())
      throw Error(ErrorKind::cannot_bind, why + "; --like takes a character with finished weights");
    apply_selection(input.scene, {});
    SampleOptions options;
    options.resolution = like_resolution;
    options.vertices = vertices;
    Sibling sibling{file, {}, joint_points(input.scene), whole_samples_of(input.scene, options)};
    add_finished(file, input.scene, sibling.meshes);
    return sibling;
  });
}

LikeFit fit_like(std::span<const Sibling> siblings, const FittedNetworks& networks) {
  const PairScorer scorer(networks);
  std::vector<Part> all;
  for (const Sibling& sibling : siblings) all.push_back({&sibling});
  PaintedPairs painted = painted_by(all, networks, scorer);
  LikeFit fit;
  if (siblings.size() == 1)
    judge_halves(siblings.front(), networks, scorer, fit);
  else
    painted.prior = judge_siblings(siblings, networks, scorer, fit);
  if (painted.joints.empty() || fit.with > fit.without - min_gain)
    throw Error(ErrorKind::cannot_bind,
                siblings.front().file + ": --like does not help: vertices that were left out are " +
                    fixed(fit.with, 3) + " from their own weights with it and " +
                    fixed(fit.without, 3) + " without (L1); bind without --like");
  fit.painted = std::make_shared<const PaintedPairs>(std::move(painted));
  return fit;
}

}  // namespace gvbind::fit
