#include "rig/human_joints.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

constexpr double standing = 0.8;  // minimum cosine to the vertical of an upright leg or trunk

std::optional<std::size_t> index_of(const RigTemplate& rig, const TemplateLimb& limb,
                                    JointWord word) {
  for (std::size_t i = 0; i < limb.joints.size(); ++i)
    if (rig.words[limb.joints[i]] == word) return i;
  return std::nullopt;
}

bool has_root(const RigTemplate& rig, const TemplateLimb& limb, JointWord word) {
  return rig.words[limb.joints[limb.root]] == word;
}

bool is_upright(const Vector3d& low, const Vector3d& high) {
  return high.y() - low.y() > standing * (high - low).norm();
}

/// Positions of a limb's joints from its root to its tip, by index, if known; the tip comes last.
using FixedPlaces = std::vector<std::optional<Vector3d>>;

/// Joints between two fixed ones divide the distance as in the template.
void divide_limb(const RigTemplate& rig, const TemplateLimb& limb, const FixedPlaces& fixed,
                 JointPlaces& places) {
  std::size_t last = limb.root;
  for (std::size_t next = limb.root + 1; next < fixed.size(); ++next) {
    if (!fixed[next]) continue;
    const double begin = limb_length(rig, limb, last);
    const double whole = begin - limb_length(rig, limb, next);
    for (std::size_t i = last; i < next; ++i) {
      const double t = whole > 0.0 ? (begin - limb_length(rig, limb, i)) / whole : 0.0;
      places[limb.joints[i]] = *fixed[last] + t * (*fixed[next] - *fixed[last]);
    }
    last = next;
  }
}

void place_arm(const RigTemplate& rig, const FoundLimb& arm, const HumanProportions& proportions,
               JointPlaces& places) {
  const TemplateLimb& limb = rig.limbs[arm.limb];
  const double shoulder = proportions.shoulder * arm.exit;
  FixedPlaces fixed(limb.joints.size() + 1);
  const double length = limb_length(rig, limb, limb.root);
  if (!(length > 0.0)) return;
  const auto fix = [&](JointWord word, double usual) {
    const auto i = index_of(rig, limb, word);
    if (!i || *i < limb.root) return;
    const double own = limb_length(rig, limb, *i) / length;
    fixed[*i] = arm.path->at(std::lerp(usual, own, proportions.own_share) * shoulder);
  };
  fix(JointWord::upper_arm, 1.0);
  fix(JointWord::forearm, proportions.elbow);
  fix(JointWord::hand, proportions.wrist);
  fixed.back() = arm.path->at(0.0);
  divide_limb(rig, limb, fixed, places);
}

/// Where the path from the trunk to the foot first crosses a height.
Vector3d at_height(const BodyPath& path, double height) {
  for (std::size_t i = path.points.size(); i-- > 1;) {
    const double low = path.points[i - 1].y(), high = path.points[i].y();
    if (low > height || high < height || low == high) continue;
    return path.points[i - 1] +
           (height - low) / (high - low) * (path.points[i] - path.points[i - 1]);
  }
  return *std::ranges::min_element(
      path.points, {}, [&](const Vector3d& point) { return std::abs(point.y() - height); });
}

/// Height of the neck on the limb that leads to the head.
std::optional<double> neck_height(const RigTemplate& rig, const JointPlaces& places) {
  for (const TemplateLimb& limb : rig.limbs)
    if (limb.is_head)
      if (const auto& neck = places[limb.joints.front()]) return neck->y();
  return std::nullopt;
}

void place_leg(const RigTemplate& rig, const FoundLimb& leg, double neck,
               const HumanProportions& proportions, JointPlaces& places) {
  const TemplateLimb& limb = rig.limbs[leg.limb];
  const BodyPath& path = *leg.path;
  const Vector3d exit = path.at(leg.exit);
  const double ground = path.points.front().y();
  const double hip = proportions.hip_neck * (neck - ground) +
                     proportions.hip_exit * (exit.y() - ground) + proportions.hip_depth * leg.depth;
  if (!is_upright(path.points.front(), exit) || !(hip > 0.0)) return;
  FixedPlaces fixed(limb.joints.size() + 1);
  const auto fix = [&](JointWord word, double share, double column) {
    const auto i = index_of(rig, limb, word);
    if (!i || *i < limb.root) return;
    Vector3d at = at_height(path, ground + column * hip);
    at.y() = ground + share * hip;
    fixed[*i] = at;
  };
  fix(JointWord::thigh, 1.0, proportions.hip_column);
  fix(JointWord::shin, proportions.knee, proportions.knee_column);
  fix(JointWord::foot, proportions.ankle, proportions.ankle_column);
  fixed.back() = path.points.front();
  divide_limb(rig, limb, fixed, places);
}

/// The nearest joint above a limb with this name.
std::optional<std::size_t> above(const RigTemplate& rig, const TemplateLimb& limb, JointWord word) {
  for (int j = rig.joints[limb.joints.front()].parent; j >= 0; j = rig.joints[j].parent)
    if (rig.words[j] == word) return static_cast<std::size_t>(j);
  return std::nullopt;
}

/// How far the template's hips are above its thigh joints, relative to the height of its thighs.
double hips_rise(const RigTemplate& rig, const TemplateLimb& leg, std::size_t hips) {
  const auto shin = index_of(rig, leg, JointWord::shin);
  if (!shin) return 0.0;
  const double thigh = rig.joints[leg.joints[leg.root]].position.y();
  const double height = thigh - rig.joints[leg.joints[*shin]].position.y();
  return height > 0.0 ? (rig.joints[hips].position.y() - thigh) / height : 0.0;
}

double thigh_height(const RigTemplate& rig, const TemplateLimb& leg, const JointPlaces& places) {
  const auto shin = index_of(rig, leg, JointWord::shin);
  if (!shin || !places[leg.joints[*shin]]) return 0.0;
  return std::max(0.0, places[leg.joints[leg.root]]->y() - places[leg.joints[*shin]]->y());
}

/// Hips are above the midpoint of the thigh joints, collar bones near that of the shoulders.
void place_between(const RigTemplate& rig, const HumanProportions& proportions,
                   JointPlaces& places) {
  const std::optional<double> neck = neck_height(rig, places);
  for (const TemplateLimb& limb : rig.limbs) {
    if (limb.mirror_limb < 0) continue;
    const TemplateLimb& partner = rig.limbs[limb.mirror_limb];
    const auto& own = places[limb.joints[limb.root]];
    const auto& other = places[partner.joints[partner.root]];
    if (!own || !other) continue;
    const Vector3d middle = 0.5 * (*own + *other);
    if (has_root(rig, limb, JointWord::thigh)) {
      if (const auto hips = above(rig, limb, JointWord::hips)) {
        const double height =
            0.5 * (thigh_height(rig, limb, places) + thigh_height(rig, partner, places));
        const double rise = proportions.own_share * hips_rise(rig, limb, *hips) * height;
        places[*hips] = middle + rise * Vector3d::UnitY();
      }
    } else if (has_root(rig, limb, JointWord::upper_arm)) {
      const auto collar = index_of(rig, limb, JointWord::collar);
      if (!collar || *collar >= limb.root) continue;
      Vector3d& place = places[limb.joints[*collar]].emplace();
      place = middle + proportions.collar * (*own - middle);
      if (neck && *neck > middle.y())
        place.y() = std::lerp(place.y(), *neck, proportions.collar_rise);
    }
  }
}

}  // namespace

bool is_human(const RigTemplate& rig) {
  Vector3d shoulders = Vector3d::Zero(), hips = Vector3d::Zero();
  int arms = 0, legs = 0, heads = 0;
  for (const TemplateLimb& limb : rig.limbs) {
    const Vector3d& root = rig.joints[limb.joints[limb.root]].position;
    heads += limb.is_head;
    if (has_root(rig, limb, JointWord::upper_arm)) {
      ++arms;
      shoulders += root;
    } else if (has_root(rig, limb, JointWord::thigh)) {
      if (!is_upright(limb.tip, root)) return false;
      ++legs;
      hips += root;
    }
  }
  return arms == 2 && legs == 2 && heads == 1 && is_upright(hips / 2.0, shoulders / 2.0);
}

std::optional<Vector3d> between_shoulders(const RigTemplate& rig, const JointPlaces& places) {
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (const TemplateLimb& limb : rig.limbs)
    if (const auto& root = places[limb.joints[limb.root]];
        root && has_root(rig, limb, JointWord::upper_arm)) {
      sum += *root;
      ++count;
    }
  if (count < 2) return std::nullopt;
  return Vector3d(sum / count);
}

void place_human_arms(const RigTemplate& rig, const std::vector<FoundLimb>& found,
                      JointPlaces& places, const HumanProportions& proportions) {
  for (const FoundLimb& limb : found)
    if (has_root(rig, rig.limbs[limb.limb], JointWord::upper_arm))
      place_arm(rig, limb, proportions, places);
}

void place_human_legs(const RigTemplate& rig, const std::vector<FoundLimb>& found,
                      JointPlaces& places, const HumanProportions& proportions) {
  if (const std::optional<double> neck = neck_height(rig, places))
    for (const FoundLimb& limb : found)
      if (has_root(rig, rig.limbs[limb.limb], JointWord::thigh))
        place_leg(rig, limb, *neck, proportions, places);
  place_between(rig, proportions, places);
}

}  // namespace gvbind::rig
