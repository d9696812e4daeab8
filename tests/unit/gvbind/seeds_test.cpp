#include "gvbind/distance/seeds.h"

#include <catch2/catch.hpp>
#include <limits>

#include "gvbind/solid_of.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

double box_distance(const SparseVoxels& v, std::uint32_t i, const Eigen::Vector3d& p) {
  const Eigen::Array3d d = (p - v.center(i).cast<double>()).cwiseAbs().array() - v.side(i) / 2.0;
  return d.max(0.0).matrix().norm();
}

}  // namespace

TEST_CASE("the nearest voxels of points are those of a look at all", "[threads]") {
  const SparseVoxels v = staged(figure(), 32, {16, 1}).voxels;
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    Eigen::Vector3i p;
    for (int k = 0; k < 3; ++k)
      p[k] = static_cast<int>(random() % (2 * lattice_size)) - lattice_size / 2;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t n = 0; n < v.size(); ++n)
      least = std::min(least, box_distance(v, n, p.cast<double>()));
    const NearestVoxels nearest = nearest_voxels(v, {p, p});
    REQUIRE_FALSE(nearest.voxels.empty());
    CHECK(nearest.distance == Approx(least));
    for (const std::uint32_t n : nearest.voxels)
      CHECK(box_distance(v, n, p.cast<double>()) <= least + 0.01);
  }
}

TEST_CASE("the nearest voxel of a segment is no farther than that of any of its points") {
  const SparseVoxels v = staged(figure(), 32).voxels;
  std::mt19937 random(13);
  for (int i = 0; i < 30; ++i) {
    LatticeSegment s;
    for (int k = 0; k < 3; ++k) {
      s.a[k] = static_cast<int>(random() % lattice_size);
      s.b[k] = static_cast<int>(random() % lattice_size);
    }
    const double nearest = nearest_voxels(v, s).distance;
    double least = std::numeric_limits<double>::infinity();
    for (int t = 0; t <= 500; ++t) {
      const Eigen::Vector3i p =
          (s.a.cast<double>() + (s.b - s.a).cast<double>() * (t / 500.0)).cast<int>();
      least = std::min(least, nearest_voxels(v, {p, p}).distance);
    }
    CHECK(nearest <= least + 1.0);
    CHECK(nearest >= least - lattice_size / 500.0);
  }
}

TEST_CASE("an influence outside starts from the nearest voxels of both sides of a mirror plane") {
  Figure f;
  f.shape = box({-1, -1, -1}, {1, 1, 1});
  f.joints = {{{0, 0, 0}, -1}, {{0, 3, 0}, -1}};
  const Staged s = staged(f, 32);
  const Seeds seeds = seed_voxels(s.character.bones, s.bones, s.voxels);
  REQUIRE(seeds.outside.size() == 1);
  CHECK(seeds.outside[0].joint == 1);
  const double step = s.character.cube.scale;
  CHECK(seeds.outside[0].distance == Approx(2.0 * step).margin(lattice_size / 32));
  std::vector<Seed> own;
  for (const Seed& start : seeds.seeds)
    if (label_joint(start.label) == 1) own.push_back(start);
  CHECK(own.size() == 4);
  for (const Seed& start : own)
    CHECK(static_cast<double>(label_distance(start.label)) ==
          Approx(seeds.outside[0].distance * units_per_step));
}

TEST_CASE("an influence without segments starts nowhere and is not outside") {
  Figure f = figure();
  f.joints[4].deforms = false;
  const Staged s = staged(f, 32);
  const Seeds seeds = seed_voxels(s.character.bones, s.bones, s.voxels);
  CHECK(seeds.outside.empty());
  CHECK(std::none_of(seeds.seeds.begin(), seeds.seeds.end(),
                     [](const Seed& start) { return label_joint(start.label) == 4; }));
}

TEST_CASE("an influence outside adds the way there, or is moved there, or is skipped") {
  Figure f;
  f.shape = box({-1, -1, -1}, {1, 1, 1});
  f.joints = {{{0, 0, 0}, -1}, {{0.4, 3, 0.2}, -1}, {{0.4, 3.5, 0.2}, 1, false}};
  const Staged s = staged(f, 32);
  const auto own = [&](OutsideRule rule) {
    const Seeds seeds = seed_voxels(s.character.bones, s.bones, s.voxels, rule);
    REQUIRE(seeds.outside.size() == 1);
    CHECK(seeds.outside[0].joint == 1);
    CHECK(seeds.outside[0].offset.norm() == Approx(seeds.outside[0].distance).margin(1.0));
    CHECK(seeds.outside[0].offset.y() == Approx(-seeds.outside[0].distance).margin(1.0));
    std::vector<Label> labels;
    for (const Seed& start : seeds.seeds)
      if (label_joint(start.label) == 1) labels.push_back(start.label);
    return labels;
  };
  const std::vector<Label> extended = own(OutsideRule::extend), snapped = own(OutsideRule::snap);
  CHECK(own(OutsideRule::error) == extended);
  CHECK(own(OutsideRule::skip).empty());
  REQUIRE_FALSE(snapped.empty());
  CHECK(snapped.size() == extended.size());
  for (const Label label : snapped) CHECK(label_distance(label) == 0);
  for (const Label label : extended) CHECK(label_distance(label) > 0);

  const LatticeBones moved =
      snapped_bones(s.character.bones, seed_voxels(s.character.bones, s.bones, s.voxels).outside);
  CHECK(seed_voxels(moved, bone_voxels(moved, 32), s.voxels).outside.empty());
  CHECK(moved[0][0].a == s.character.bones[0][0].a);
}
