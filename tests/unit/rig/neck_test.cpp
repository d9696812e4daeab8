#include "rig/neck.h"

#include <catch2/catch.hpp>
#include <vector>

namespace gvbind {

namespace {

/// A path straight down from the crown, one point per voxel.
rig::BodyPath path_of(const std::vector<double>& depths) {
  rig::BodyPath path;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    path.points.emplace_back(0.0, 100.0 - static_cast<double>(i), 0.0);
    path.depths.push_back(depths[i]);
    path.cells.push_back(static_cast<std::uint32_t>(i));
    path.lengths.push_back(static_cast<double>(i));
  }
  return path;
}

void append(std::vector<double>& depths, std::size_t count, double depth) {
  depths.insert(depths.end(), count, depth);
}

/// A bun of 6 voxels if wanted, a head of 20, a neck of 4, a chest; the neck begins at its length.
std::vector<double> head_on_chest(bool has_bun) {
  std::vector<double> depths;
  if (has_bun) {
    append(depths, 6, 4.0);
    append(depths, 2, 2.0);
  }
  append(depths, 20, 8.0);
  append(depths, 4, 3.0);
  append(depths, 30, 9.0);
  return depths;
}

constexpr rig::NeckOptions by_waist_alone{.usual_share = 0.0};

}  // namespace

TEST_CASE("a bun above the head does not move the neck") {
  const rig::BodyPath plain = path_of(head_on_chest(false)),
                      with_bun = path_of(head_on_chest(true));
  const rig::NeckSpan one = rig::human_neck(plain, 28.0, 100.0),
                      other = rig::human_neck(with_bun, 36.0, 100.0);
  CHECK(other.neck == Approx(one.neck + 8.0));
  CHECK(other.head == Approx(one.head + 8.0));
  // The shoulders alone tell a bun from a head.
  CHECK(rig::first_waist(with_bun)->neck < 12.0);
}

TEST_CASE("a waist of the trunk below the shoulders is no neck") {
  std::vector<double> depths = head_on_chest(false);
  append(depths, 5, 2.0);
  append(depths, 20, 9.0);
  const rig::NeckSpan found = rig::human_neck(path_of(depths), 28.0, 100.0, by_waist_alone);
  CHECK(found.neck >= 20.0);
  CHECK(found.neck <= 28.0);
}

TEST_CASE("without a waist near the shoulders the usual lengths tell") {
  std::vector<double> depths;
  append(depths, 60, 9.0);
  const rig::NeckOptions options;
  const rig::NeckSpan none = rig::human_neck(path_of(depths), 30.0, 100.0);
  CHECK(none.neck == Approx(30.0 - 100.0 * options.neck_above));
  CHECK(none.head == Approx(30.0 - 100.0 * options.head_above));
  depths[3] = 1.0;  // far above: an antenna
  CHECK(rig::human_neck(path_of(depths), 50.0, 100.0).neck ==
        Approx(50.0 - 100.0 * options.neck_above));
  // A body that is cut off at its shoulders has its head joints at the top.
  CHECK(rig::human_neck(path_of(depths), 2.0, 100.0).head == 0.0);
  CHECK_FALSE(rig::first_waist(path_of(std::vector<double>(60, 9.0))).has_value());
}

}  // namespace gvbind
