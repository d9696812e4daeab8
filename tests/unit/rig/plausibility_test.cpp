#include "rig/plausibility.h"

#include <catch2/catch.hpp>
#include <string_view>
#include <vector>

#include "rig/builtin_templates.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

constexpr double voxels = 70.0;  // per meter

/// The template's own places in a body of the same height.
struct Placed {
  rig::RigTemplate rig = rig::analyzed_template(rig::builtin_template("biped").value());
  rig::BodyVolume body;
  std::vector<Vector3d> places;

  Placed() {
    for (const Joint& joint : rig.joints) places.emplace_back(voxels * joint.position);
    body.low = (voxels * rig.low).array().floor().cast<int>() - 1;
    body.extent = (voxels * (rig.high - rig.low)).array().ceil().cast<int>() + 2;
  }
  Vector3d& at(std::string_view name) {
    for (std::size_t j = 0; j < places.size(); ++j)
      if (rig.joints[j].name == name) return places[j];
    FAIL(name);
    return places[0];
  }
  double value() const { return rig::human_plausibility(rig, body, places, 1.0).value(); }
};

}  // namespace

TEST_CASE("a human as the template is plausible, whatever its size") {
  Placed placed;
  const double value = placed.value();
  CHECK(value > 0.8);
  for (Vector3d& place : placed.places) place *= 2.0;
  placed.body.low = placed.body.low * 2;
  placed.body.extent = placed.body.extent * 2;
  CHECK(placed.value() == Approx(value).margin(0.05));
}

TEST_CASE("joints in another order or of other lengths are less plausible") {
  const double value = Placed().value();
  Placed low_neck;
  low_neck.at("neck").y() = low_neck.at("hips").y() - 10.0;
  CHECK(low_neck.value() < 0.1);
  Placed short_arms;
  for (const char* side : {".L", ".R"})
    short_arms.at(std::string("hand") + side) = short_arms.at(std::string("upper_arm") + side);
  CHECK(short_arms.value() < value - 0.05);
  Placed feet_above;
  for (const char* side : {".L", ".R"})
    feet_above.at(std::string("foot") + side).y() = feet_above.at("neck").y();
  CHECK(feet_above.value() < value - 0.1);
}

TEST_CASE("an animal has no human proportions to be judged by") {
  const rig::RigTemplate rig = rig::analyzed_template(rig::builtin_template("quadruped").value());
  const std::vector<Vector3d> places(rig.joints.size(), Vector3d::Zero());
  CHECK_FALSE(rig::human_plausibility(rig, {}, places, 1.0).has_value());
}

}  // namespace gvbind
