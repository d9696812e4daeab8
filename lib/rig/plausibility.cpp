#include "rig/plausibility.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rig/human_joints.h"
#include "rig/joint_words.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

/// A measure of the skeleton: its value in right skeletons, how far these spread, and how much a
/// deviation by one spread lowers the odds (logarithm).
struct Measure {
  double median, spread, weight;
};

// In the order of measures_of(). The first five are logarithms of lengths in trunks.
constexpr std::array<Measure, 9> measures{{
    {0.35, 0.211, 0.48},   // thighs above feet
    {-0.11, 0.138, 0.44},  // shoulder to hand
    {-0.38, 0.262, 0.38},  // between the shoulders
    {-1.04, 0.220, 0.20},  // between the thighs
    {-0.53, 0.572, 0.07},  // crown above the neck
    {0.18, 0.051, 0.38},   // neck above shoulders, in trunks
    {0.05, 0.012, 0.16},   // feet above the ground, in heights
    {0.23, 0.134, 0.53},   // depth of the body, in heights
    {0.00, 0.030, 0.76},   // how much the trunk leans
}};
constexpr double base_odds = 5.89, margin_weight = 0.19, most_spreads = 5.0;

/// Main joints of a placed skeleton; two sides each, one of the trunk.
struct MainJoints {
  Vector3d neck, hips;
  std::array<Vector3d, 2> shoulder, hand, thigh, foot;
};

std::optional<Vector3d> place_of(const RigTemplate& rig, const std::vector<Vector3d>& places,
                                 JointWord word, int side) {
  for (std::size_t j = 0; j < places.size(); ++j)
    if (rig.words[j] == word && (side == 0 || joint_side(rig.joints[j].name) == side))
      return places[j];
  return std::nullopt;
}

std::optional<MainJoints> main_joints(const RigTemplate& rig, const std::vector<Vector3d>& places) {
  const auto neck = place_of(rig, places, JointWord::neck, 0);
  const auto hips = place_of(rig, places, JointWord::hips, 0);
  if (!neck || !hips) return std::nullopt;
  MainJoints main{*neck, *hips, {}, {}, {}, {}};
  for (const std::size_t s : {0u, 1u}) {
    const int side = s == 0 ? 1 : -1;
    const auto shoulder = place_of(rig, places, JointWord::upper_arm, side);
    const auto hand = place_of(rig, places, JointWord::hand, side);
    const auto thigh = place_of(rig, places, JointWord::thigh, side);
    const auto foot = place_of(rig, places, JointWord::foot, side);
    if (!shoulder || !hand || !thigh || !foot) return std::nullopt;
    main.shoulder[s] = *shoulder;
    main.hand[s] = *hand;
    main.thigh[s] = *thigh;
    main.foot[s] = *foot;
  }
  return main;
}

/// The logarithm of a length relative to the trunk; lengths below a fiftieth of the height count as
/// that.
double log_ratio(double length, double trunk, double height) {
  return std::log(std::max(length, 0.02 * height) / trunk);
}

std::array<double, 9> measures_of(const MainJoints& main, const BodyVolume& body) {
  const Vector3d low = (body.low.array() + 1).cast<double>();
  const Vector3d size = (body.extent.array() - 2).cast<double>();
  const double height = size.y(), trunk = std::max((main.neck - main.hips).norm(), 1e-6);
  const auto height_of = [](const std::array<Vector3d, 2>& pair) {
    return 0.5 * (pair[0].y() + pair[1].y());
  };
  const double arm =
      0.5 * ((main.hand[0] - main.shoulder[0]).norm() + (main.hand[1] - main.shoulder[1]).norm());
  return {log_ratio(height_of(main.thigh) - height_of(main.foot), trunk, height),
          log_ratio(arm, trunk, height),
          log_ratio((main.shoulder[0] - main.shoulder[1]).norm(), trunk, height),
          log_ratio((main.thigh[0] - main.thigh[1]).norm(), trunk, height),
          log_ratio(low.y() + size.y() - main.neck.y(), trunk, height),
          (main.neck.y() - height_of(main.shoulder)) / trunk,
          (height_of(main.foot) - low.y()) / height,
          size.z() / height,
          1.0 - (main.neck.y() - main.hips.y()) / trunk};
}

}  // namespace

std::optional<double> human_plausibility(const RigTemplate& rig, const BodyVolume& body,
                                         const std::vector<Vector3d>& places, double least_margin) {
  if (!is_human(rig)) return std::nullopt;
  const std::optional<MainJoints> main = main_joints(rig, places);
  if (!main) return std::nullopt;
  const std::array<double, 9> values = measures_of(*main, body);
  double odds = base_odds + margin_weight * least_margin;
  for (std::size_t i = 0; i < values.size(); ++i)
    odds -= measures[i].weight *
            std::min(std::abs(values[i] - measures[i].median) / measures[i].spread, most_spreads);
  return 1.0 / (1.0 + std::exp(-odds));
}

}  // namespace gvbind::rig
