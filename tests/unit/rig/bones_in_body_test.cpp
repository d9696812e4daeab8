#include "rig/bones_in_body.h"

#include <catch2/catch.hpp>
#include <vector>

#include "rig/assign_tips.h"
#include "rig/builtin_templates.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

/// A bar of 40 x 4 x 4 voxels.
rig::BodyVolume bar() {
  std::vector<Eigen::Vector3i> cells;
  for (int z = 4; z < 8; ++z)
    for (int y = 4; y < 8; ++y)
      for (int x = 10; x < 50; ++x) cells.emplace_back(x, y, z);
  return rig::volume_of_cells(cells, {}, 64, 4.0);
}

std::vector<Joint> chain(std::size_t count) {
  std::vector<Joint> joints;
  for (std::size_t j = 0; j < count; ++j)
    joints.push_back({Vector3d::Zero(), static_cast<int>(j) - 1, true, "joint"});
  return joints;
}

}  // namespace

TEST_CASE("bones along the middle of a bar lie inside, near its flesh") {
  const rig::BodyVolume body = bar();
  const rig::BonesInBody right =
      rig::bones_in_body(chain(3), body, {{10.5, 6, 6}, {30, 6, 6}, {49.5, 6, 6}});
  CHECK(right.inside == Approx(1.0));
  CHECK(right.flesh < 2.0 / 40.0);
  const rig::BonesInBody half = rig::bones_in_body(chain(2), body, {{10.5, 6, 6}, {30, 6, 6}});
  CHECK(half.inside == Approx(1.0));
  CHECK(half.flesh > 2.0 * right.flesh);
  const rig::BonesInBody across = rig::bones_in_body(chain(2), body, {{30, 6, 6}, {30, 46, 6}});
  CHECK(across.inside < 0.2);
  CHECK(rig::bones_in_body(chain(2), body, {{30, 90, 6}, {30, 99, 6}}).inside == 0.0);
}

TEST_CASE("bones from a root outside of the body do not count") {
  const rig::BodyVolume body = bar();
  CHECK(rig::bones_in_body(chain(3), body, {{30, -40, 6}, {10.5, 6, 6}, {49.5, 6, 6}}).inside ==
        Approx(1.0));
}

TEST_CASE("assignments come with the cheapest first, each once") {
  const rig::RigTemplate rig = rig::analyzed_template(rig::builtin_template("biped").value());
  rig::BodyTips tips;
  tips.low = rig.low;
  tips.high = rig.high;
  tips.middle = 0.5 * (rig.low + rig.high);
  for (const rig::TemplateLimb& limb : rig.limbs)
    tips.tips.push_back({limb.tip, 0.2 * rig.size(), {}});
  const rig::SymmetryPlane plane{.at = rig.middle, .share = 1.0};
  const std::vector<rig::TipAssignment> all = rig::cheapest_assignments(rig, tips, plane, 20);
  REQUIRE(all.size() == 20);
  CHECK(all[0].tips == rig::assign_tips(rig, tips, plane).tips);
  for (std::size_t i = 1; i < all.size(); ++i) {
    CHECK(all[i].cost >= all[i - 1].cost - 1e-9);
    for (std::size_t k = 0; k < i; ++k) CHECK(all[i].tips != all[k].tips);
  }
}

}  // namespace gvbind
