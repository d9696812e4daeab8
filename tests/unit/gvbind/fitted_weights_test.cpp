#include "gvbind/fitted/fitted_weights.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "gvbind/base/portable_log.h"
#include "gvbind/bind_skin.h"
#include "gvbind/figure_binds.h"
#include "gvbind/reference_bind.h"
#include "gvbind/weight_field.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

BindOptions fitted() { return weighed_by(WeightRule::fitted); }

double entropy(const SkinWeights& weights) {
  double sum = 0.0;
  for (const float w : weights.weight) sum -= double{w} * std::log(double{w});
  return sum;
}

/// The same figure with reversed order of the joints at each depth; parents still come first.
Figure listed_otherwise(const Figure& f, std::vector<std::uint32_t>& place) {
  const std::size_t n = f.joints.size();
  std::vector<int> depth(n, 0);
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t j = 0; j < n; ++j) {
    order[j] = j;
    if (f.joints[j].parent >= 0) depth[j] = depth[static_cast<std::size_t>(f.joints[j].parent)] + 1;
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return depth[a] != depth[b] ? depth[a] < depth[b] : a > b;
  });
  Figure made{f.shape, {}};
  place.resize(n);
  for (const std::uint32_t j : order) {
    place[j] = static_cast<std::uint32_t>(made.joints.size());
    made.joints.push_back(f.joints[j]);
    int& parent = made.joints.back().parent;
    if (parent >= 0) parent = static_cast<int>(place[static_cast<std::size_t>(parent)]);
  }
  return made;
}

double weight_of(const SkinWeights& weights, std::size_t vertex, std::uint32_t joint) {
  for (const Influence& influence : weights.row(vertex))
    if (influence.joint == joint) return double{influence.weight};
  return 0.0;
}

/// The distance fields that fitted weights start from.
struct Fields {
  CharacterDistances distances;
  WeightRules rules;
  CharacterWeights falloff;
};

Fields fields_of(const Figure& f) {
  const BindOptions options = fitted();
  Fields made;
  made.distances = distances_of(f, options);
  made.rules = weight_rules(made.distances, options);
  made.falloff = character_weights(made.distances, made.rules, {});
  return made;
}

}  // namespace

TEST_CASE("the portable logarithm is the logarithm") {
  for (double x = 1e-12; x < 1e12; x *= 1.0371)
    CHECK(portable_log(x) == Approx(std::log(x)).margin(1e-9));
  CHECK(portable_log(1.0) == 0.0);
}

TEST_CASE("names give hints in any case and after the last colon") {
  CHECK(name_hints("mixamorig:LeftHandThumb1")[10]);
  CHECK(name_hints("IK_Hand.L")[1]);
  CHECK(name_hints("HEAD")[13]);
  for (const bool hint : name_hints("Bone.003")) CHECK_FALSE(hint);
  for (const bool hint : name_hints("head:a")) CHECK_FALSE(hint);
}

TEST_CASE("fitted rows sum to one and hold as many joints as asked for", "[threads]") {
  const Figure f = figure();
  for (const int most : {1, 2, 4, 0}) {
    BindOptions options = fitted();
    options.max_influences = most;
    const SkinWeights weights = bind(f, options);
    REQUIRE(weights.vertex_count() == f.shape.positions.size());
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
      const WeightRow row = weights.row(v);
      REQUIRE_FALSE(row.empty());
      if (most > 0) CHECK(row.size() <= static_cast<std::size_t>(most));
      double sum = 0.0;
      float before = 1.0f;
      for (const auto [joint, weight] : row) {
        CHECK(weight > 0.0f);
        CHECK(weight <= before);
        before = weight;
        sum += weight;
      }
      CHECK(sum == Approx(1.0).margin(1e-5));
    }
  }
}

TEST_CASE("fitted weights have the same bytes on any number of threads") {
  const Figure f = figure();
  BindOptions one = fitted(), two = fitted();
  one.threads = 1;
  two.threads = 2;
  CHECK(same(bind(f, one), bind(f, two)));
}

TEST_CASE("the order of joints decides little, also where bones begin in one place") {
  Figure f = figure();
  // Helper joints that start where a lower arm does.
  for (const std::size_t arm : {4u, 7u}) {
    f.joints.push_back(f.joints[arm]);
    f.joints.push_back({0.5 * (f.joints[arm].position + f.joints[arm + 1].position),
                        static_cast<int>(f.joints.size()) - 1});
  }
  std::vector<std::uint32_t> place;
  const SkinWeights weights = bind(f, fitted()), other = bind(listed_otherwise(f, place), fitted());
  double most = 0.0;
  for (std::uint32_t v = 0; v < f.shape.positions.size(); ++v) {
    if (std::abs(f.shape.positions[v].x()) < 0.02) continue;
    for (std::uint32_t j = 0; j < place.size(); ++j)
      most = std::max(most, std::abs(weight_of(weights, v, j) - weight_of(other, v, place[j])));
  }
  CHECK(most < 0.02);  // 0.12 if ties were resolved by the order of joints
}

TEST_CASE("alpha leads fitted weights from smooth to tight") {
  const Figure f = figure();
  double before = 1e9;
  for (const double alpha : {0.0, 0.2, 0.4, 0.7, 1.0}) {
    BindOptions options = fitted();
    options.alpha = alpha;
    const double now = entropy(bind(f, options));
    CHECK(now < before);
    before = now;
  }
}

TEST_CASE("a joint that does not deform gets no fitted weight") {
  Figure f = figure();
  const std::uint32_t joint = 2;
  REQUIRE(bind_skin({f.shape.positions, f.shape.triangles}, f.joints, fitted())
              .statistics.joint_vertices[joint] > 0);
  f.joints[joint].deforms = false;
  const SkinWeights weights = bind(f, fitted());
  for (const std::uint32_t j : weights.joint) CHECK(j != joint);
}

TEST_CASE("a joint outside gets no fitted weight where such joints are skipped") {
  Figure f = figure();
  f.joints.push_back({{0.1, 2.12, 0.1}, 2, true, "plume"});
  f.joints.push_back({{0.2, 2.2, 0.1}, 15, false, "plume end"});
  BindOptions options = fitted();
  options.controls = ControlRule::keep;
  options.outside = OutsideRule::skip;
  const SkinWeights weights = bind(f, options);
  for (const std::uint32_t j : weights.joint) CHECK(j != 15);
}

TEST_CASE("names of joints change fitted weights only where they are a hint") {
  Figure plain = figure(), named = figure();
  for (std::size_t j = 0; j < named.joints.size(); ++j) {
    plain.joints[j].name.assign("bone");
    named.joints[j].name.assign(j % 2 == 0 ? "ik_target" : "spine_end");
  }
  CHECK_FALSE(same(bind(plain, fitted()), bind(named, fitted())));
  BindOptions options = fitted();
  options.names = NameRule::ignore;
  CHECK(same(bind(plain, options), bind(named, options)));
}

TEST_CASE("the network that is handed in is the one that weighs") {
  const Figure f = figure();
  BindOptions options = fitted();
  PairNetwork network = make_network(pair_feature_count, 4);
  network.scale.assign(pair_feature_count, 1.0f);
  network.linear[0] = -1000.0f;  // gives everything to the nearest joint by straight distance
  options.network = std::make_shared<FittedNetworks>(FittedNetworks{{network}});
  const SkinWeights weights = bind(f, options);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) CHECK(weights.row(v).size() <= 2);
  CHECK_FALSE(same(weights, bind(f, fitted())));
}

TEST_CASE("more vertices at one place change no row of fitted weights") {
  const Figure f = figure();
  Figure split = f;  // each triangle with vertices of its own
  split.shape.positions.clear();
  std::vector<std::uint32_t> original;
  for (Triangle& triangle : split.shape.triangles)
    for (std::uint32_t& vertex : triangle) {
      original.push_back(vertex);
      split.shape.positions.push_back(f.shape.positions[vertex]);
      vertex = static_cast<std::uint32_t>(original.size() - 1);
    }
  const SkinWeights whole = bind(f, fitted()), parts = bind(split, fitted());
  REQUIRE(parts.vertex_count() == original.size());
  for (std::size_t v = 0; v < original.size(); ++v) {
    const WeightRow a = whole.row(original[v]), b = parts.row(v);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(whole.joint[whole.first[original[v]] + i] == parts.joint[parts.first[v] + i]);
      CHECK(whole.weight[whole.first[original[v]] + i] == parts.weight[parts.first[v] + i]);
    }
  }
}

TEST_CASE("a field gives fitted weights as a bind does, and at its vertices the same") {
  const Figure f = figure();
  const WeightField field =
      WeightField::build({f.shape.positions, f.shape.triangles}, f.joints, fitted());
  for (const double alpha : {0.1, 0.4, 0.9}) {
    BindOptions options = fitted();
    options.alpha = alpha;
    const SkinWeights bound = bind(f, options);
    CHECK(same(field.at_vertices({alpha, 4}), bound));
    CHECK(same(field.at(f.shape.positions, {alpha, 4}), bound));
  }
}

TEST_CASE("pairs are nearest first, their distances those of the coarse voxels") {
  const Figure f = figure();
  const Fields fields = fields_of(f);
  const PairContext context = pair_context(fields.distances, f.joints);
  PointPairs pairs;
  for (std::uint32_t v = 0; v < f.shape.positions.size(); v += 7) {
    pairs_at(fields.distances, fields.rules, fields.falloff, context,
             vertex_site(fields.distances, fields.falloff, context, v), pairs);
    REQUIRE(pairs.count > 0);
    CHECK(pairs.feature[0][0] == 0.0f);
    double share = 0.0;
    for (std::size_t i = 0; i < pairs.count; ++i) {
      if (i > 0) CHECK(pairs.feature[i][0] >= pairs.feature[i - 1][0]);
      for (std::size_t k = 0; k < i; ++k) CHECK(pairs.joint[i] != pairs.joint[k]);
      for (const float number : pairs.feature[i]) CHECK(std::isfinite(number));
      share += pairs.feature[i][9];
    }
    // They include all joints that the falloff considers.
    CHECK(share == Approx(1.0).margin(1e-5));
  }
}

TEST_CASE(
    "features of points are those of all their pairs, features of joints those of all points") {
  const Figure f = figure();
  const Fields fields = fields_of(f);
  const PairContext context = pair_context(fields.distances, f.joints);
  const FeatureGroups groups = feature_groups();
  CHECK(groups.pair.size() + groups.point.size() + groups.joint.size() == pair_feature_count);
  const std::vector<float> rows = joint_features(context.joints);
  PointPairs pairs;
  for (std::uint32_t v = 0; v < f.shape.positions.size(); v += 7) {
    pairs_at(fields.distances, fields.rules, fields.falloff, context,
             vertex_site(fields.distances, fields.falloff, context, v), pairs);
    for (std::size_t p = 0; p < pairs.count; ++p) {
      for (const std::uint32_t k : groups.point) CHECK(pairs.feature[p][k] == pairs.feature[0][k]);
      for (std::size_t i = 0; i < groups.joint.size(); ++i)
        CHECK(pairs.feature[p][groups.joint[i]] == rows[pairs.joint[p] * groups.joint.size() + i]);
    }
  }
}

TEST_CASE("two numbers of a pair are the heat of its joint at the vertex") {
  const Figure f = figure();
  const Fields fields = fields_of(f);
  const PairContext context = pair_context(fields.distances, f.joints);
  PointPairs pairs;
  std::size_t heated = 0;
  for (std::uint32_t v = 0; v < f.shape.positions.size(); v += 7) {
    pairs_at(fields.distances, fields.rules, fields.falloff, context,
             vertex_site(fields.distances, fields.falloff, context, v), pairs);
    const SurfaceHeat& heat = context.heat;
    for (std::size_t i = 0; i < pairs.count; ++i) {
      float share = 0.0f;
      for (const JointHeat& h : heat.at_place(heat.surface.place[v]))
        if (h.joint == pairs.joint[i]) share = h.heat;
      CHECK(pairs.feature[i][42] == Approx(share).margin(1e-3));
      CHECK(pairs.feature[i][43] == Approx(std::log(share + 1e-3) / 7.0).margin(0.05));
      heated += share > 0.0f;
    }
  }
  CHECK(heated > 100);
}

TEST_CASE("steps along a skeleton and who is above whom, against walking up") {
  const Figure f = figure();
  const Fields fields = fields_of(f);
  const PairContext context = pair_context(fields.distances, f.joints);
  const auto path_up = [&](std::uint32_t joint) {
    std::vector<std::uint32_t> path{joint};
    while (f.joints[path.back()].parent >= 0)
      path.push_back(static_cast<std::uint32_t>(f.joints[path.back()].parent));
    return path;
  };
  for (std::uint32_t a = 0; a < f.joints.size(); ++a)
    for (std::uint32_t b = 0; b < f.joints.size(); ++b) {
      const std::vector<std::uint32_t> up_a = path_up(a), up_b = path_up(b);
      int steps = 8;
      for (std::size_t i = 0; i < up_a.size(); ++i)
        for (std::size_t k = 0; k < up_b.size(); ++k)
          if (up_a[i] == up_b[k]) steps = std::min(steps, static_cast<int>(i + k));
      CHECK(context.joints.steps(a, b) == steps);
      CHECK(context.joints.is_above(a, b) ==
            (a != b && std::find(up_b.begin(), up_b.end(), a) != up_b.end()));
    }
}
