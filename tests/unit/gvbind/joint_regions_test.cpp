#include "gvbind/weights/joint_regions.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "gvbind/bind_skin.h"
#include "gvbind/error.h"
#include "gvbind/unit_shapes.h"
#include "gvbind/weight_field.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

BindOptions options_of(WeightRule weights) {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  options.weights = weights;
  return options;
}

BindResult bound(const Figure& f, const BindOptions& options) {
  return bind_skin({f.shape.positions, f.shape.triangles}, f.joints, options);
}

std::map<std::uint32_t, float> row_of(const SkinWeights& weights, std::size_t vertex) {
  std::map<std::uint32_t, float> row;
  for (const gvbind::Influence& entry : weights.row(vertex)) row[entry.joint] = entry.weight;
  return row;
}

/// Around the left lower arm of figure(), between joints 4 and 5.
const Primitive left_arm{Primitive::Kind::box, {0.75, 1.2, -0.3}, {2.0, 1.7, 0.4}};

}  // namespace

TEST_CASE("a region's vertices belong to its joints alone, all others are as without it") {
  const Figure f = figure();
  for (const WeightRule rule : {WeightRule::fitted, WeightRule::falloff}) {
    BindOptions options = options_of(rule);
    const BindResult free = bound(f, options);
    options.rules.regions = {{{1, 12}, left_arm}};
    const BindResult ruled = bound(f, options);
    std::size_t inside = 0, changed_outside = 0;
    for (std::size_t v = 0; v < f.shape.positions.size(); ++v) {
      if (distance_to(left_arm, f.shape.positions[v]) > 1e-4) {
        changed_outside += row_of(free.weights, v) != row_of(ruled.weights, v);
        continue;
      }
      if (distance_to(left_arm, f.shape.positions[v]) > 0.0) continue;
      ++inside;
      float sum = 0.0f;
      for (const auto& [joint, weight] : row_of(ruled.weights, v)) {
        CHECK((joint == 1 || joint == 12));
        sum += weight;
      }
      CHECK(sum == Approx(1.0f));
    }
    CHECK(inside > 20);
    CHECK(changed_outside == 0);
    REQUIRE(ruled.statistics.rules.regions.size() == 1);
    CHECK(ruled.statistics.rules.regions[0] == inside);
  }
}

TEST_CASE("the last region that holds a vertex decides, and one joint takes all") {
  const Figure f = figure();
  BindOptions options = options_of(WeightRule::fitted);
  options.rules.regions = {{{8}, left_arm}, {{2}, left_arm}};
  const BindResult ruled = bound(f, options);
  for (std::size_t v = 0; v < f.shape.positions.size(); ++v)
    if (distance_to(left_arm, f.shape.positions[v]) == 0.0)
      CHECK(row_of(ruled.weights, v) == std::map<std::uint32_t, float>{{2, 1.0f}});
}

TEST_CASE("forbidden joints own nothing where one of the others owns most") {
  const Figure f = figure();
  for (const WeightRule rule : {WeightRule::fitted, WeightRule::falloff}) {
    BindOptions options = options_of(rule);
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    const auto mixed = [&](const BindResult& result) {
      std::map<Pair, std::size_t> counts;  // number of vertices that both own
      for (std::size_t v = 0; v < f.shape.positions.size(); ++v)
        for (const auto& [a, weight_a] : row_of(result.weights, v))
          for (const auto& [b, weight_b] : row_of(result.weights, v))
            if (a < b) ++counts[{a, b}];
      return counts;
    };
    const auto before = mixed(bound(f, options));
    const auto [pair, count] =
        *std::ranges::max_element(before, {}, [](const auto& entry) { return entry.second; });
    CHECK(count > 20);
    options.rules.forbidden = {{{pair.first}, {pair.second}}};
    auto after = mixed(bound(f, options));
    // Both may own a vertex that mostly belongs to a third joint.
    CHECK(after[pair] < count / 4);
  }
}

TEST_CASE("the owner of a vertex is the joint with most weight before others are left out") {
  const std::vector<ForbiddenJoints> forbidden = {{{1, 2}, {3}}, {{4}, {4, 5}}};
  const OwnerBan bans = owner_ban(forbidden, 6);
  for (std::uint32_t owner = 0; owner < 6; ++owner)
    for (std::uint32_t joint = 0; joint < 6; ++joint) {
      const bool of_first =
          (owner == 3 && (joint == 1 || joint == 2)) || (joint == 3 && (owner == 1 || owner == 2));
      const bool of_second = (owner == 4 && joint == 5) || (owner == 5 && joint == 4);
      CHECK(bans(owner, joint) == (of_first || of_second));
    }
  CHECK_FALSE(owner_ban({}, 6));
}

TEST_CASE("distances begin in a volume as they do at bones") {
  const Figure f = figure();
  // In the right arm; the left one has its own joints.
  const Primitive ball{Primitive::Kind::sphere, {0.9, 1.42, 0.06}, {0, 0, 0}, 0.12};
  for (const WeightRule rule : {WeightRule::fitted, WeightRule::falloff})
    for (const DistanceRule distance : {DistanceRule::straight, DistanceRule::path}) {
      BindOptions options = options_of(rule);
      options.distance = distance;
      const auto owned = [&](const BindResult& result) {
        double sum = 0.0;
        for (std::size_t v = 0; v < f.shape.positions.size(); ++v)
          if (distance_to(ball, f.shape.positions[v]) == 0.0) {
            const auto row = row_of(result.weights, v);
            if (row.contains(2)) sum += double{row.at(2)};
          }
        return sum;
      };
      CHECK(owned(bound(f, options)) == 0.0);
      options.rules.volumes = {{2, ball}};
      const BindResult ruled = bound(f, options);
      CHECK(owned(ruled) > 1.0);
      CHECK(ruled.statistics.rules.volumes.at(0) > 10);
    }
}

TEST_CASE("a field has the weights of a bind with rules, at the vertices too") {
  const Figure f = figure();
  for (const WeightRule rule : {WeightRule::fitted, WeightRule::falloff}) {
    BindOptions options = options_of(rule);
    options.rules.regions = {{{1, 12}, left_arm}};
    options.rules.forbidden = {{{9}, {10}}};
    options.rules.edits = {{EditKind::cut, {Primitive::Kind::box, {-2, 0.6, -1}, {2, 0.7, 1}}}};
    const BindResult ruled = bound(f, options);
    const MeshView mesh{f.shape.positions, f.shape.triangles};
    const WeightField field = WeightField::build(mesh, f.joints, options);
    for (const SkinWeights& rows :
         {field.at_vertices({options.alpha, 4}), field.at(mesh.positions, {options.alpha, 4})}) {
      CHECK(rows.joint == ruled.weights.joint);
      CHECK(rows.weight == ruled.weights.weight);
    }
  }
}

TEST_CASE("rules for unknown joints are refused") {
  const Figure f = figure();
  BindOptions options = options_of(WeightRule::falloff);
  options.rules.regions = {{{99}, left_arm}};
  CHECK_THROWS_AS(bound(f, options), Error);
  options.rules.regions = {{{}, left_arm}};
  CHECK_THROWS_AS(bound(f, options), Error);
}
