#include "gvbind/distance/bridge_components.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "gvbind/bind_findings.h"
#include "gvbind/distance/delta_stepping.h"
#include "gvbind/distance/seeds.h"
#include "gvbind/solid_of.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr DistanceOptions options = {};

Figure with_loose(const std::vector<Shape>& loose) {
  Figure f = figure();
  for (const Shape& shape : loose) f.shape.append(shape);
  return f;
}

DistanceField field_of(const Staged& s, std::size_t influences, const DistanceOptions& how) {
  return geodesic_distances(s.voxels, seed_voxels(s.character.bones, s.bones, s.voxels).seeds,
                            influences, how);
}

std::size_t empty_rows(const DistanceField& field) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < field.labels.size(); i += std::size_t(field.labels_per_voxel))
    count += field.labels[i] == no_label;
  return count;
}

/// Inserts a label into a row by a linear search.
bool put(std::span<Label> row, Label label) {
  std::vector<Label> all(row.begin(), row.end());
  const auto same = std::ranges::find_if(
      all, [&](Label l) { return l != no_label && label_joint(l) == label_joint(label); });
  if (same != all.end()) {
    if (*same <= label) return false;
    *same = label;
  } else {
    all.push_back(label);
  }
  std::ranges::sort(all);
  all.resize(row.size());
  const bool changed = !std::ranges::equal(all, row);
  std::ranges::copy(all, row.begin());
  return changed;
}

/// Joins one loose part to all others by comparing every pair of voxels, and relaxes until nothing
/// changes.
DistanceField slow_bridges(const SparseVoxels& v, DistanceField field) {
  const auto n = static_cast<std::size_t>(field.labels_per_voxel);
  std::vector<std::uint32_t> loose, rest;
  for (std::uint32_t i = 0; i < v.size(); ++i)
    (field.labels[i * n] == no_label ? loose : rest).push_back(i);
  const auto way = [&](std::uint32_t a, std::uint32_t b) {
    return (v.center(a) - v.center(b)).cast<double>().norm();
  };
  std::vector<double> nearest(loose.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < loose.size(); ++i)
    for (const std::uint32_t to : rest) nearest[i] = std::min(nearest[i], way(loose[i], to));
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loose.size(); ++i)
    if (v.leaves[loose[i]].boundary) gap = std::min(gap, nearest[i]);
  const auto row = [&](std::uint32_t i) { return std::span(field.labels).subspan(i * n, n); };
  for (std::size_t i = 0; i < loose.size(); ++i) {
    if (!v.leaves[loose[i]].boundary) continue;
    if (nearest[i] > 2.0 * gap + 2.0 * lattice_size / v.resolution) continue;
    for (const std::uint32_t to : rest)
      if (way(loose[i], to) == nearest[i])
        for (const Label label : row(to))
          if (label != no_label)
            put(row(loose[i]),
                label +
                    (static_cast<Label>(std::llround(nearest[i] * units_per_step * options.penalty))
                     << label_influence_bits));
  }
  const int step = lattice_size / v.resolution;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t from : loose)
      for (const std::uint32_t to : loose) {
        if ((v.center(from) - v.center(to)).cwiseAbs().maxCoeff() != step) continue;
        const double factor = v.leaves[to].boundary ? options.penalty : 1.0;
        const auto length =
            static_cast<Label>(std::llround(way(from, to) * units_per_step * factor));
        for (std::size_t k = 0; k < n && row(from)[k] != no_label; ++k)
          changed = put(row(to), row(from)[k] + (length << label_influence_bits)) || changed;
      }
  }
  return field;
}

}  // namespace

TEST_CASE("where all voxels have labels nothing is joined") {
  const Staged s = staged(figure(), 32);
  DistanceField field = field_of(s, 15, options);
  const std::vector<Label> before = field.labels;
  const ComponentBridges bridges = bridge_components(s.voxels, options, field);
  CHECK(bridges.components == 0);
  CHECK(bridges.voxels == 0);
  CHECK(field.labels == before);
}

TEST_CASE("a loose part takes labels over the air as a look at all pairs gives them", "[threads]") {
  const Figure f = with_loose({box({0.5, 1.75, -0.1}, {0.75, 1.95, 0.15})});
  for (const int n : {1, 4, 0}) {
    DistanceOptions how = options;
    how.max_influences = n;
    // The reference assumes leaves of one size.
    const Staged s = staged(f, 32, {32, 1});
    REQUIRE(coarsest_level(s.voxels) == 0);
    DistanceField field = field_of(s, f.joints.size(), how);
    const std::size_t loose = empty_rows(field);
    REQUIRE(loose > 20);
    const DistanceField slow = slow_bridges(s.voxels, field);
    const ComponentBridges bridges = bridge_components(s.voxels, how, field);
    CHECK(bridges.components == 1);
    CHECK(bridges.voxels == loose);
    CHECK(bridges.longest > 0.05);
    CHECK(empty_rows(field) == 0);
    CHECK(field.labels == slow.labels);
  }
}

TEST_CASE("parts hang from the nearest part, also one that was loose itself") {
  // Each is further out than the one before, and nearer to that one than to the body.
  const Figure f =
      with_loose({box({0.5, 2.6, -0.1}, {0.7, 2.8, 0.1}), box({0.5, 1.8, -0.1}, {0.7, 2.0, 0.1}),
                  box({0.5, 2.2, -0.1}, {0.7, 2.4, 0.1})});
  const Staged s = staged(f, 64);
  DistanceField field = field_of(s, f.joints.size(), options);
  const std::vector<Label> before = field.labels;
  const ComponentBridges bridges = bridge_components(s.voxels, options, field);
  CHECK(bridges.components == 3);
  CHECK(empty_rows(field) == 0);
  const double unit = s.character.cube.scale / lattice_size;
  CHECK(bridges.longest == Approx(0.3 * unit).margin(0.1 * unit));
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != no_label) REQUIRE(field.labels[i] == before[i]);
  const auto distance_at = [&](double y) {
    const Eigen::Vector3i at = s.character.cube.to_lattice({0.6, y, 0.0}) / (lattice_size / 64);
    const std::uint32_t voxel = s.voxels.find(at.x(), at.y(), at.z());
    REQUIRE(voxel != no_voxel);
    return label_distance(field.of(voxel)[0]);
  };
  CHECK(distance_at(1.9) < distance_at(2.3));
  CHECK(distance_at(2.3) < distance_at(2.7));
}

TEST_CASE("nothing has labels, so nothing can be joined") {
  const Staged s = staged(figure(), 32);
  DistanceField field = geodesic_distances(s.voxels, {}, 15, options);
  CHECK(bridge_components(s.voxels, options, field).components == 0);
  DistanceField none;
  CHECK(bridge_components(s.voxels, options, none).components == 0);
}

TEST_CASE("a gap of more than half of the box is a warning") {
  Findings findings;
  for (const double gap : {0.4, 0.6})
    report_bridges({.components = 1, .voxels = 8, .longest = gap}, findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].severity == Severity::note);
  CHECK(findings[1].severity == Severity::warning);
}
