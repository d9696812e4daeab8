#include "gvbind/distance/geodesic_distance.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <queue>
#include <random>

#include "gvbind/distance/seeds.h"
#include "gvbind/solid_of.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A voxel's neighbors and the step lengths to them, computed from centers only.
std::vector<std::pair<std::uint32_t, std::uint64_t>> steps_from(const SparseVoxels& v,
                                                                std::uint32_t at, double penalty) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> steps;
  const auto add = [&](std::uint32_t to) {
    const double length = (v.center(to) - v.center(at)).cast<double>().norm() * units_per_step;
    steps.emplace_back(to, std::llround(length * (v.leaves[to].boundary ? penalty : 1.0)));
  };
  for (int d = 0; d < direction_count; ++d)
    if (v.leaves[at].near >> d & 1u) add(v.neighbor(v.leaves[at], d));
  if (v.leaves[at].first_cross_level == no_voxel) return steps;
  std::uint32_t k = v.leaves[at].first_cross_level;
  do add(v.cross_level[k].voxel);
  while (!v.cross_level[k++].last);
  return steps;
}

/// A plain Dijkstra for one joint.
std::vector<Label> dijkstra(const SparseVoxels& v, double penalty, const std::vector<Seed>& seeds,
                            std::uint32_t joint) {
  std::vector<Label> best(v.size(), no_label);
  using Item = std::pair<Label, std::uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (const Seed& s : seeds)
    if (label_joint(s.label) == joint && s.label < best[s.voxel]) {
      best[s.voxel] = s.label;
      queue.emplace(s.label, s.voxel);
    }
  while (!queue.empty()) {
    const auto [label, at] = queue.top();
    queue.pop();
    if (label != best[at]) continue;
    for (const auto& [to, step] : steps_from(v, at, penalty)) {
      const Label through = make_label(label_distance(label) + step, joint);
      if (through >= best[to]) continue;
      best[to] = through;
      queue.emplace(through, to);
    }
  }
  return best;
}

/// For each n, compares every voxel's labels with the sorted results of all Dijkstra runs.
void check_fronts(const Staged& s, double penalty,
                  const std::vector<int>& label_counts = {0, 1, 2, 4, 7}) {
  const std::vector<Seed> seeds = seed_voxels(s.character.bones, s.bones, s.voxels).seeds;
  const std::size_t influences = s.character.bones.size();
  std::vector<std::vector<Label>> rows(s.voxels.size());
  for (std::uint32_t i = 0; i < influences; ++i) {
    const std::vector<Label> one = dijkstra(s.voxels, penalty, seeds, i);
    for (std::size_t v = 0; v < one.size(); ++v) rows[v].push_back(one[v]);
  }
  for (std::vector<Label>& row : rows) std::sort(row.begin(), row.end());
  for (const int n : label_counts) {
    const DistanceField field = geodesic_distances(s.voxels, seeds, influences, {penalty, n});
    REQUIRE(field.labels_per_voxel == (n == 0 ? static_cast<int>(influences) : n));
    std::size_t wrong = 0;
    for (std::uint32_t v = 0; v < s.voxels.size(); ++v) {
      const std::span<const Label> labels = field.of(v);
      wrong += !std::equal(labels.begin(), labels.end(), rows[v].begin());
    }
    INFO("labels " << n);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("one front of n labels is n Dijkstras: uniform", "[threads]") {
  const Staged s = staged(figure(), 32, {32, 0});
  for (const double penalty : {1.0, 1.3, 2.0, 1.0 + std::sqrt(2.0), 4.0, 1000.0})
    check_fronts(s, penalty);
}

TEST_CASE("one front of n labels is n Dijkstras: boundary and holes anywhere", "[threads]") {
  Staged s = staged(figure(), 32, {32, 0});
  std::mt19937 random(7);
  for (int trial = 0; trial < 6; ++trial) {
    Solid solid = s.solid;
    for (std::size_t i = 0; i < solid.boundary.words.size(); ++i) {
      const std::uint64_t a = random() | std::uint64_t{random()} << 32, b = random() * a;
      solid.boundary.words[i] = solid.non_exterior.words[i] & (trial % 2 == 0 ? a : a & b);
      if (trial > 2) solid.non_exterior.words[i] &= ~(b & ~solid.boundary.words[i]);
    }
    s.voxels = sparse_voxels(solid, s.bones, {32, 0});
    check_fronts(s, trial % 3 == 0 ? 1.5 : 4.0);
  }
}

TEST_CASE("one front of n labels is n Dijkstras: mixed sizes", "[threads]") {
  Figure wide = figure();
  wide.shape.append(capsule({0, 0.4, 0}, {0, 1.2, 0}, 0.5));
  const Staged s = staged(wide, 64, {4, 0});
  CHECK(coarsest_level(s.voxels) > 1);
  check_fronts(s, 4.0);
  check_fronts(s, 1.0);
}

TEST_CASE("one front of n labels is n Dijkstras: sizes beside sizes of twice the width") {
  Figure wide = figure();
  wide.shape.append(capsule({0, 0.4, 0}, {0, 1.2, 0}, 0.5));
  Staged s = staged(wide, 64, {8, 1});
  CHECK(coarsest_level(s.voxels) > 0);
  for (const double penalty : {1.0, 1.5, 4.0}) check_fronts(s, penalty);

  // Boundary voxels also lie beside larger voxels here.
  std::mt19937 random(3);
  Solid solid = s.solid;
  for (std::size_t i = 0; i < solid.boundary.words.size(); ++i)
    solid.non_exterior.words[i] &= ~(random() & random() & random() & 0x11111111u);
  for (std::size_t i = 0; i < solid.boundary.words.size(); ++i)
    solid.boundary.words[i] &= solid.non_exterior.words[i];
  s.voxels = sparse_voxels(solid, s.bones, {16, 0});
  for (const double penalty : {1.0, 1.5, 4.0}) check_fronts(s, penalty);
}

TEST_CASE("one front of n labels is n Dijkstras: many blocks on many threads", "[slow][threads]") {
  Figure wide = figure();
  wide.shape.append(capsule({0, 0.4, 0}, {0, 1.2, 0}, 0.5));
  const Staged s = staged(wide, 128, {128, 0});
  REQUIRE(s.voxels.size() > 100'000);
  check_fronts(s, 4.0, {4, 1, 4, 2, 4, 1, 4, 3, 4, 5, 4, 4});
}

TEST_CASE("ties go to the lower influence") {
  Figure f;
  f.shape = box({-1, -0.2, -0.2}, {1, 0.2, 0.2});
  // Three identical bones.
  f.joints = {{{0, 0, 0}, -1}, {{0, 0, 0}, -1}, {{0, 0, 0}, -1}};
  const Staged s = staged(f, 32);
  const DistanceField field = geodesic_distances(
      s.voxels, seed_voxels(s.character.bones, s.bones, s.voxels).seeds, 3, {4.0, 2});
  for (std::uint32_t v = 0; v < s.voxels.size(); ++v) {
    REQUIRE(label_joint(field.of(v)[0]) == 0);
    REQUIRE(label_joint(field.of(v)[1]) == 1);
    REQUIRE(label_distance(field.of(v)[0]) == label_distance(field.of(v)[1]));
  }
}

TEST_CASE("distances are lengths, and the boundary costs the penalty") {
  Figure f;
  f.shape = box({-1, -0.5, -0.5}, {1, 0.5, 0.5});
  f.joints = {{{0, 0, 0}, -1}};
  const Staged s = staged(f, 64, {64, 0});
  const std::uint32_t start = s.voxels.find(32, 32, 32);
  const std::vector<Seed> seeds = {{start, make_label(0, 0)}};
  const DistanceField field = geodesic_distances(s.voxels, seeds, 1, {10.0, 1});
  const double voxel = 1.0 / 64;
  const auto at = [&](int x, int y, int z) {
    return static_cast<double>(label_distance(field.of(s.voxels.find(x, y, z))[0])) * label_unit;
  };
  CHECK(at(32, 32, 32) == 0.0);
  CHECK(at(40, 32, 32) == Approx(8 * voxel));
  CHECK(at(36, 36, 32) == Approx(4 * std::sqrt(2.0) * voxel));
  CHECK(at(36, 36, 36) == Approx(4 * std::sqrt(3.0) * voxel));
  CHECK(at(36, 34, 32) == Approx((2 * std::sqrt(2.0) + 2) * voxel));
  int last = 32;
  while (!s.solid.boundary.test(last, 32, 32)) ++last;
  CHECK(at(last, 32, 32) == Approx((last - 33 + 10) * voxel));
}

TEST_CASE("voxels that no front reaches have no label") {
  Figure f;
  f.shape = box({-1, -0.2, -0.2}, {-0.5, 0.2, 0.2});
  f.shape.append(box({0.5, -0.2, -0.2}, {1, 0.2, 0.2}));
  f.joints = {{{-0.75, 0, 0}, -1}};
  const Staged s = staged(f, 32);
  for (const int n : {0, 1, 4}) {
    const DistanceField field = geodesic_distances(
        s.voxels, seed_voxels(s.character.bones, s.bones, s.voxels).seeds, 1, {4.0, n});
    for (std::uint32_t v = 0; v < s.voxels.size(); ++v)
      REQUIRE((field.of(v)[0] == no_label) == (s.voxels.center(v).x() > lattice_size / 2));
  }
}
