#include "gvbind/weights/falloff.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "gvbind/distance/seeds.h"
#include "gvbind/solid_of.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

struct Field {
  Staged staged;
  DistanceField distances;
};

Field field_of(const Figure& figure, int n) {
  Field f{staged(figure, 32), {}};
  f.distances = geodesic_distances(
      f.staged.voxels, seed_voxels(f.staged.character.bones, f.staged.bones, f.staged.voxels).seeds,
      figure.joints.size(), {4.0, n});
  return f;
}

}  // namespace

TEST_CASE("weights are the powers of equation 9, normalized") {
  const Field f = field_of(figure(), 3);
  const SparseVoxels& v = f.staged.voxels;
  for (const double alpha : {0.0, 0.1, 1.0}) {
    const double lambda = 5.0 + 25.0 * alpha;
    const std::uint32_t voxel = static_cast<std::uint32_t>(v.size() / 2);
    const Eigen::Vector3i point = v.center(voxel) + Eigen::Vector3i(500, -700, 300);
    const SkinWeights w = weights_at(v, f.distances, {&point, 1}, {alpha, 3});
    double powers[3], sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double d = static_cast<double>(label_distance(f.distances.of(voxel)[i])) * label_unit +
                       Eigen::Vector3d(500, -700, 300).norm() / lattice_size;
      sum += powers[i] = std::pow(d, -lambda);
    }
    for (std::uint32_t k = 0; k < w.first[1]; ++k) {
      CHECK(w.joint[k] == label_joint(f.distances.of(voxel)[k]));
      CHECK(w.weight[k] == Approx(powers[k] / sum).epsilon(1e-5));
    }
  }
}

TEST_CASE("with alphas of their own the joints that own most stay, by a sum over all of them") {
  const Field f = field_of(figure(), 0);
  const SparseVoxels& v = f.staged.voxels;
  for (const FalloffRule rule : {FalloffRule::paper, FalloffRule::note}) {
    Falloff falloff{0.2, 2};
    falloff.rule = rule;
    falloff.joint_alphas = {{{0}, 1.0}, {{2}, 0.0}};
    const FalloffCurve curve(falloff);
    for (std::uint32_t voxel = 0; voxel < v.size(); voxel += 97) {
      const Eigen::Vector3i point = v.center(voxel);
      std::vector<Influence> slow;
      const auto labels = f.distances.of(voxel);
      const double nearest = static_cast<double>(label_distance(labels[0])) * label_unit;
      for (const Label label : labels)
        if (label != no_label) {
          const std::uint32_t joint = label_joint(label);
          const double d = static_cast<double>(label_distance(label)) * label_unit;
          slow.push_back({joint, static_cast<float>(curve.share(d, nearest, joint))});
        }
      std::ranges::stable_sort(slow, std::greater(), &Influence::weight);
      const SkinWeights made = weights_at(v, f.distances, {&point, 1}, falloff);
      REQUIRE(made.row(0).size() <= 2);
      const float sum = slow[0].weight + slow[1].weight;
      for (std::size_t k = 0; k < made.row(0).size(); ++k)
        CHECK(made.row(0)[k].weight == Approx(slow[k].weight / sum).margin(1e-5));
    }
  }
}

TEST_CASE("with a smooth limit a joint has no weight where it leaves") {
  const Field f = field_of(figure(), 0);
  const SparseVoxels& v = f.staged.voxels;
  Falloff falloff{0.0, 2};
  falloff.limit = LimitRule::smooth;
  const FalloffCurve curve(falloff);
  int close = 0;
  for (std::uint32_t voxel = 0; voxel < v.size(); voxel += 31) {
    const Eigen::Vector3i point = v.center(voxel);
    std::vector<double> shares;
    double nearest = -1.0;
    for (const Label label : f.distances.of(voxel)) {
      if (label == no_label) continue;
      const double d = static_cast<double>(label_distance(label)) * label_unit;
      if (nearest < 0.0) nearest = d;
      shares.push_back(curve.share(d, nearest, label_joint(label)));
    }
    REQUIRE(shares.size() >= 3);
    const double lost = std::min(shares[2], 0.9 * shares[0]);
    const double first = shares[0] - lost, second = std::max(0.0, shares[1] - lost);
    const SkinWeights made = weights_at(v, f.distances, {&point, 1}, falloff);
    REQUIRE(made.row(0).size() >= 1);
    REQUIRE(made.row(0).size() <= 2);
    CHECK(double{made.row(0)[0].weight} == Approx(first / (first + second)).margin(1e-5));
    if (shares[2] > 0.9 * shares[0] || shares[1] - shares[2] > 0.01 * shares[0]) continue;
    ++close;  // the second joint is about to swap ranks with the third
    if (made.row(0).size() > 1) CHECK(double{made.row(0)[1].weight} < 0.1);
  }
  CHECK(close > 0);
}

TEST_CASE("rows are as VertexWeights asks, at every alpha and limit", "[threads]") {
  const Figure fig = figure();
  for (const int n : {0, 1, 4})
    for (const double alpha : {0.0, 0.5, 1.0}) {
      const Field f = field_of(fig, n);
      const SkinWeights w =
          weights_at(f.staged.voxels, f.distances, f.staged.character.mesh.positions, {alpha, n});
      REQUIRE(w.vertex_count() == fig.shape.positions.size());
      for (std::size_t v = 0; v < w.vertex_count(); ++v) {
        double sum = 0.0;
        REQUIRE(w.first[v + 1] > w.first[v]);
        if (n > 0) REQUIRE(w.first[v + 1] - w.first[v] <= std::uint32_t(n));
        for (std::uint32_t k = w.first[v]; k < w.first[v + 1]; ++k) {
          REQUIRE(w.weight[k] > 0.0f);
          sum += w.weight[k];
          if (k == w.first[v]) continue;
          REQUIRE(w.weight[k] <= w.weight[k - 1]);
          if (w.weight[k] == w.weight[k - 1]) REQUIRE(w.joint[k] > w.joint[k - 1]);
        }
        REQUIRE(sum == Approx(1.0).margin(1e-6));
      }
    }
}

namespace {

/// The joint with the smallest distance by equation 7 over the voxels with the nearest boxes, by
/// exhaustive search.
std::uint32_t slow_nearest_influence(const Field& f, const Eigen::Vector3i& point) {
  const SparseVoxels& v = f.staged.voxels;
  double least = std::numeric_limits<double>::infinity(), best = least;
  std::uint32_t joint = 0;
  for (std::uint32_t voxel = 0; voxel < v.size(); ++voxel) {
    const Eigen::Vector3d off = (point - v.center(voxel)).cast<double>();
    const double away = (off.cwiseAbs().array() - v.side(voxel) / 2.0).max(0.0).matrix().norm();
    if (away > least) continue;
    if (away < least) best = std::numeric_limits<double>::infinity();
    least = away;
    for (const Label label : f.distances.of(voxel)) {
      if (label == no_label) break;
      const double d =
          static_cast<double>(label_distance(label)) * label_unit + off.norm() / lattice_size;
      if (d < best || (d == best && label_joint(label) < joint)) {
        best = d;
        joint = label_joint(label);
      }
    }
  }
  return joint;
}

}  // namespace

TEST_CASE("points off the volume take the nearest voxel's weights") {
  const Field f = field_of(figure(), 4);
  const UnitCube& cube = f.staged.character.cube;
  const std::vector<Eigen::Vector3i> points = {cube.to_lattice({1.3, 1.4, 0.1}),
                                               cube.to_lattice({-9.0, 1.4, 0.1})};
  const SkinWeights w = weights_at(f.staged.voxels, f.distances, points, {});
  REQUIRE(w.first[2] > w.first[1]);
  CHECK(w.joint[w.first[0]] == slow_nearest_influence(f, points[0]));
  CHECK(w.joint[w.first[1]] == slow_nearest_influence(f, points[1]));
}

TEST_CASE("empty rows take the nearest row there is") {
  std::mt19937 random(17);
  std::vector<Eigen::Vector3i> points;
  SkinWeights w;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    Eigen::Vector3i p;
    // Coarse coordinates give ties and duplicates.
    for (int k = 0; k < 3; ++k) p[k] = static_cast<int>(random() % 30) * 30000;
    points.push_back(p);
    if (i % 3 != 0) {
      w.joint.push_back(i);
      w.weight.push_back(1.0f);
    }
    w.first.push_back(static_cast<std::uint32_t>(w.joint.size()));
  }
  CHECK(fill_empty_rows(points, w) == 1000);
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    std::uint32_t expected = i;
    double least = std::numeric_limits<double>::infinity();
    if (i % 3 == 0)
      for (std::uint32_t other = 0; other < points.size(); ++other) {
        const double d = (points[other] - points[i]).cast<double>().squaredNorm();
        if (other % 3 != 0 && d < least) {
          least = d;
          expected = other;
        }
      }
    REQUIRE(w.first[i + 1] == w.first[i] + 1);
    REQUIRE(w.joint[w.first[i]] == expected);
  }
}

TEST_CASE("without any row all stay empty") {
  const std::vector<Eigen::Vector3i> points(5, Eigen::Vector3i::Zero());
  SkinWeights w;
  w.first.assign(6, 0);
  CHECK(fill_empty_rows(points, w) == 5);
  CHECK(w.joint.empty());
}
