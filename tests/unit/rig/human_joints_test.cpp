#include "rig/human_joints.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rig/builtin_templates.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

// Different from the fitted values, and from each other.
constexpr rig::HumanProportions proportions{.shoulder = 0.9,
                                            .elbow = 0.6,
                                            .wrist = 0.3,
                                            .own_share = 0.25,
                                            .hip_neck = 0.4,
                                            .hip_exit = 0.3,
                                            .hip_depth = -1.0,
                                            .knee = 0.55,
                                            .ankle = 0.1,
                                            .hip_column = 0.8,
                                            .knee_column = 0.5,
                                            .ankle_column = 0.3,
                                            .collar = 0.4,
                                            .collar_rise = 0.5};

std::size_t index_of(const std::vector<Joint>& joints, std::string_view name) {
  const auto found = std::ranges::find(joints, name, &Joint::name);
  REQUIRE(found != joints.end());
  return static_cast<std::size_t>(found - joints.begin());
}

/// Our biped with straight arms (elbow at 0.5 and wrist at 0.125 of the way from tip to shoulder),
/// a joint at a third of each forearm, and toes half way to their ends.
std::vector<Joint> human_skeleton() {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  for (const double sign : {1.0, -1.0}) {
    const char* const side = sign > 0.0 ? ".L" : ".R";
    const auto at = [&](const char* word) -> Joint& {
      return joints[index_of(joints, word + std::string(side))];
    };
    at("upper_arm").position = {sign * 0.2, 1.4, 0.0};
    at("forearm").position = {sign * 0.6, 1.4, 0.0};
    at("hand").position = {sign * 0.9, 1.4, 0.0};
    at("hand_end").position = {sign * 1.0, 1.4, 0.0};
    at("toe").position = 0.5 * (at("foot").position + at("toe_end").position);
    const int forearm = at("hand").parent;
    const auto twist = static_cast<std::ptrdiff_t>(forearm + 1);
    for (Joint& joint : joints) joint.parent += joint.parent > forearm;
    joints.insert(joints.begin() + twist,
                  {{sign * 0.7, 1.4, 0.0}, forearm, true, std::string("forearm_twist") + side});
    at("hand").parent = forearm + 1;
  }
  return joints;
}

/// Removes a joint and its descendants.
std::vector<Joint> without(const std::vector<Joint>& joints, std::string_view name) {
  std::vector<Joint> kept;
  std::vector<int> index;
  for (const Joint& joint : joints) {
    const int parent = joint.parent < 0 ? -1 : index[static_cast<std::size_t>(joint.parent)];
    const bool gone = joint.name == name || (joint.parent >= 0 && parent < 0);
    index.push_back(gone ? -1 : static_cast<int>(kept.size()));
    if (!gone) kept.push_back({joint.position, parent, joint.deforms, joint.name});
  }
  return kept;
}

/// Adds a second pair of arms below the first.
std::vector<Joint> with_four_arms(std::vector<Joint> joints) {
  for (const std::size_t shoulder :
       {index_of(joints, "shoulder.L"), index_of(joints, "shoulder.R")})
    for (std::size_t j = shoulder; j < shoulder + 5; ++j) {
      const int parent = j == shoulder ? joints[j].parent : static_cast<int>(joints.size()) - 1;
      joints.push_back({joints[j].position - Vector3d(0.0, 0.2, 0.0), parent, joints[j].deforms,
                        joints[j].name});
    }
  return joints;
}

rig::BodyPath path_through(const std::vector<Vector3d>& points) {
  rig::BodyPath path;
  path.points = points;
  path.depths.assign(points.size(), 1.0);
  path.cells.assign(points.size(), rig::no_cell);
  path.lengths.push_back(0.0);
  for (std::size_t i = 1; i < points.size(); ++i)
    path.lengths.push_back(path.lengths.back() + (points[i] - points[i - 1]).norm());
  return path;
}

rig::BodyPath mirrored(rig::BodyPath path) {
  for (Vector3d& point : path.points) point.x() *= -1.0;
  return path;
}

/// A human template and the joints placed for it.
struct Placing {
  rig::RigTemplate rig = rig::analyzed_template(human_skeleton());
  std::vector<rig::FoundLimb> found;
  rig::JointPlaces places = rig::JointPlaces(rig.joints.size());

  std::optional<Vector3d>& at(std::string_view name) { return places[index_of(rig.joints, name)]; }
  /// `root` is the name of the limb's first bone.
  void find(std::string_view root, const rig::BodyPath& path, double exit, double depth) {
    for (std::size_t l = 0; l < rig.limbs.size(); ++l) {
      const rig::TemplateLimb& limb = rig.limbs[l];
      if (rig.joints[static_cast<std::size_t>(limb.joints[limb.root])].name == root)
        found.push_back({.limb = l, .path = &path, .exit = exit, .depth = depth});
    }
  }
  void place() {
    rig::place_human_arms(rig, found, places, proportions);
    rig::place_human_legs(rig, found, places, proportions);
  }
};

void check_place(const std::optional<Vector3d>& place, const Vector3d& expected) {
  REQUIRE(place);
  CHECK(place->x() == Approx(expected.x()).margin(1e-9));
  CHECK(place->y() == Approx(expected.y()).margin(1e-9));
  CHECK(place->z() == Approx(expected.z()).margin(1e-9));
}

/// Forward 30 from the tip, then 100 to the side.
rig::BodyPath arm_path() { return path_through({{100, 80, 50}, {100, 80, 20}, {0, 80, 20}}); }

/// Up from the ground at y = 2, slightly outward and to the front, then to the center.
rig::BodyPath leg_path() {
  return path_through({{10, 2, 5}, {14, 102, 7}, {16, 152, 8}, {0, 160, 0}});
}

/// With feet on the ground and the neck 200 above them: hips at 0.4 * 200 + 0.3 * 100 - 10 = 100.
Placing placed_legs(const rig::BodyPath& left, const rig::BodyPath& right) {
  Placing placing;
  placing.at("neck") = Vector3d(0, 202, 3);
  placing.find("thigh.L", left, left.lengths[1], 10.0);
  placing.find("thigh.R", right, right.lengths[1], 10.0);
  placing.place();
  return placing;
}

}  // namespace

TEST_CASE("a human is a skeleton with two arms and two legs by name, that stands") {
  std::vector<Joint> biped = rig::builtin_template("biped").value();
  CHECK(rig::is_human(rig::analyzed_template(biped)));
  CHECK(rig::is_human(rig::analyzed_template(human_skeleton())));
  for (const std::string& name : rig::builtin_template_names())
    if (name != "biped")
      CHECK_FALSE(rig::is_human(rig::analyzed_template(rig::builtin_template(name).value())));
  std::vector<Joint> lying = biped, sitting = biped;
  for (Joint& joint : lying)
    joint.position = {joint.position.x(), joint.position.z(), -joint.position.y()};
  CHECK_FALSE(rig::is_human(rig::analyzed_template(lying)));
  for (Joint& joint : sitting)
    if (joint.position.y() < 0.8)
      joint.position = {joint.position.x(), 0.9, 0.9 - joint.position.y()};
  CHECK_FALSE(rig::is_human(rig::analyzed_template(sitting)));
  for (const char* name : {"shoulder.L", "thigh.R", "neck"})
    CHECK_FALSE(rig::is_human(rig::analyzed_template(without(biped, name))));
  CHECK_FALSE(rig::is_human(rig::analyzed_template(with_four_arms(biped))));
  for (std::size_t j = 0; j < biped.size(); ++j) biped[j].name = "joint " + std::to_string(j);
  CHECK_FALSE(rig::is_human(rig::analyzed_template(biped)));
}

TEST_CASE("a human's arm is a share of the path to where the body widens") {
  const rig::BodyPath left = arm_path(), right = mirrored(left);
  Placing placing;
  placing.find("upper_arm.L", left, 80.0, 4.0);
  placing.find("upper_arm.R", right, 80.0, 4.0);
  placing.place();
  // From the tip: 0.9 * 80 = 72 to the shoulder; elbow and wrist are a quarter of the way
  // from the fitted fractions to the template's.
  const Vector3d elbow(100.0 - (0.575 * 72.0 - 30.0), 80, 20), wrist(100, 80, 50 - 0.25625 * 72.0);
  check_place(placing.at("upper_arm.L"), {58, 80, 20});
  check_place(placing.at("forearm.L"), elbow);
  check_place(placing.at("hand.L"), wrist);
  check_place(placing.at("forearm_twist.L"), (2.0 * elbow + wrist) / 3.0);
  check_place(placing.at("upper_arm.R"), {-58, 80, 20});
  check_place(placing.at("forearm.R"), {-elbow.x(), 80, 20});
  CHECK_FALSE(placing.at("chest"));
}

TEST_CASE("a human's collar bones begin a share of the way from the middle to the shoulders") {
  const rig::BodyPath left = arm_path(), right = path_through({{-90, 70, 10}, {10, 70, 10}});
  Placing one, both;
  one.find("upper_arm.L", left, 80.0, 4.0);
  one.place();
  CHECK_FALSE(one.at("shoulder.L"));
  both.find("upper_arm.L", left, 80.0, 4.0);
  both.find("upper_arm.R", right, 40.0, 4.0);
  both.place();
  // Shoulders at (58, 80, 20) and (-90 + 36, 70, 10).
  check_place(both.at("shoulder.L"), {2 + 0.4 * 56, 75 + 0.4 * 5, 15 + 0.4 * 5});
  check_place(both.at("shoulder.R"), {2 - 0.4 * 56, 75 - 0.4 * 5, 15 - 0.4 * 5});
  for (const double neck : {70.0, 85.0}) {  // half the way up to a neck above the shoulders
    both.at("neck") = Vector3d(0, neck, 15);
    both.place();
    CHECK(both.at("shoulder.L")->y() == Approx(neck < 75.0 ? 77 : 0.5 * (77 + neck)));
  }
}

TEST_CASE(
    "a human's legs have heights by neck and trunk, and lie where their paths do lower down") {
  const rig::BodyPath left = leg_path(), right = mirrored(left);
  Placing placing = placed_legs(left, right);
  // The path is 0.04 further outward and 0.02 further to the front per unit of height; joints are
  // taken from it at heights of 80, 50 and 30.
  check_place(placing.at("thigh.L"), {10 + 3.2, 2 + 100, 5 + 1.6});
  check_place(placing.at("shin.L"), {10 + 2.0, 2 + 55, 5 + 1.0});
  check_place(placing.at("foot.L"), {10 + 1.2, 2 + 10, 5 + 0.6});
  check_place(placing.at("toe.L"), {10 + 0.6, 2 + 5, 5 + 0.3});
  check_place(placing.at("thigh.R"), {-13.2, 102, 6.6});
  check_place(placing.at("shin.R"), {-12, 57, 6});
  check_place(placing.at("neck"), {0, 202, 3});
}

TEST_CASE("a human's hips lie between the thighs, and above them by a share of the template's") {
  const rig::BodyPath left = leg_path(), right = path_through({{-20, 12, 15}, {-20, 112, 15}});
  Placing placing = placed_legs(left, right);
  // The right foot is 10 higher: its hip is 0.4 * 190 + 0.3 * 100 - 10 = 96 above it.
  check_place(placing.at("thigh.R"), {-20, 12 + 96, 15});
  // The template's hips are 0.05 above its thighs of 0.39; of that a quarter. Thighs are 0.45 of
  // the hips' heights of 100 and 96.
  const double rise = 0.25 * 0.05 / 0.39 * 0.45 * 98;
  check_place(placing.at("hips"), {0.5 * (13.2 - 20), 0.5 * (102 + 108) + rise, 0.5 * (6.6 + 15)});
}

TEST_CASE("a leg's path counts where it passes a height next to the trunk") {
  const rig::BodyPath left = path_through({{10, 2, 5}, {20, 102, 9}, {30, 12, 9}, {40, 112, 9}}),
                      right = path_through({{-10, 2, 5}, {-10, 52, 5}, {-1, 54, 2}});
  Placing placing;
  placing.at("neck") = Vector3d(0, 202, 3);
  placing.find("thigh.L", left, left.lengths[1], 10.0);
  placing.find("thigh.R", right, right.lengths[1], 0.0);
  placing.place();
  check_place(placing.at("thigh.L"), {30 + 7, 102, 9});
  check_place(placing.at("shin.L"), {30 + 4, 57, 9});
  // Its hip is 0.4 * 200 + 0.3 * 50 = 95 above it. 0.8 of that is higher than the path ever gets.
  check_place(placing.at("thigh.R"), {-1, 2 + 95, 2});
}

TEST_CASE("a leg that does not go straight down stays where it is placed") {
  const Vector3d before(1, 2, 3);
  const rig::BodyPath upright = leg_path(), steep = path_through({{-60, 2, 5}, {0, 102, 5}}),
                      flat = path_through({{-90, 2, 5}, {0, 102, 5}});
  const auto right_thigh = [&](const rig::BodyPath& path, bool has_neck) {
    Placing placing;
    if (has_neck) placing.at("neck") = Vector3d(0, 202, 3);
    for (const char* name : {"thigh.R", "shin.R", "foot.R"}) placing.at(name) = before;
    placing.find("thigh.R", path, path.lengths[1], 10.0);
    placing.place();
    CHECK((placing.at("shin.R") == before) == (placing.at("thigh.R") == before));
    CHECK((placing.at("foot.R") == before) == (placing.at("thigh.R") == before));
    return placing.at("thigh.R").value();
  };
  CHECK(right_thigh(flat, true) == before);
  CHECK(right_thigh(steep, false) == before);
  CHECK(right_thigh(steep, true).y() == Approx(102));
  CHECK(right_thigh(mirrored(upright), true).y() == Approx(102));
}

}  // namespace gvbind
