#include "retarget/body_sizes.h"

#include <cmath>

namespace gvbind::retarget {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::optional<Vector3d> place_of(const MappedSkeleton& s, const std::string& part) {
  const int node = s.roles.first(part);
  if (node < 0) return {};
  return s.skeleton.world.positions[node];
}

std::optional<Vector3d> middle_of(const MappedSkeleton& s, const std::string& part) {
  const auto left = place_of(s, part + ".L"), right = place_of(s, part + ".R");
  if (!left || !right) return {};
  return Vector3d(0.5 * (*left + *right));
}

Vector3d across(const MappedSkeleton& s, const std::string& part) {
  const auto left = place_of(s, part + ".L"), right = place_of(s, part + ".R");
  return left && right ? Vector3d(*left - *right) : Vector3d::Zero();
}

/// Mean length of both legs down to the ankles, 0 without legs.
double leg_length(const MappedSkeleton& s) {
  double sum = 0.0;
  int legs = 0;
  for (const std::string side : body_sides) {
    const auto thigh = place_of(s, "thigh" + side), shin = place_of(s, "shin" + side),
               foot = place_of(s, "foot" + side);
    if (!thigh || !shin || !foot) continue;
    sum += (*thigh - *shin).norm() + (*shin - *foot).norm();
    ++legs;
  }
  return legs > 0 ? sum / legs : 0.0;
}

/// Sum of the distances between the paired joints and those that carry them.
double paired_size(const Retargeting& r, bool of_hero) {
  double sum = 0.0;
  std::vector<int> clip_of(r.hero.skeleton.size(), -1);
  for (const JointPair& pair : r.map.pairs) clip_of[pair.hero] = pair.clip;
  for (const JointPair& pair : r.map.pairs) {
    int above = r.hero.roles.carriers[pair.hero];
    while (above >= 0 && clip_of[above] < 0) above = r.hero.roles.carriers[above];
    if (above < 0) continue;
    const auto& at = of_hero ? r.hero.skeleton.world.positions : r.clip.skeleton.world.positions;
    const int from = of_hero ? above : clip_of[above], to = of_hero ? pair.hero : pair.clip;
    sum += (at[to] - at[from]).norm();
  }
  return sum;
}

}  // namespace

std::optional<Matrix3d> body_axes(const MappedSkeleton& s) {
  // Legs stand under the body of men and beasts; trunks only under the head of men.
  const auto hips = middle_of(s, "thigh");
  auto feet = middle_of(s, "foot");
  if (!feet) feet = middle_of(s, "shin");
  if (!hips || !feet) return {};
  const Vector3d up = (*hips - *feet).normalized();
  Vector3d left = across(s, "thigh") + across(s, "upper_arm");
  left -= left.dot(up) * up;
  if (!(left.norm() > 1e-9) || !up.allFinite()) return {};
  Matrix3d axes;
  axes << left.normalized(), up, left.normalized().cross(up);
  Matrix3d straight = Matrix3d::Zero();
  for (int column = 0; column < 3; ++column) {
    Eigen::Index row = 0;
    axes.col(column).cwiseAbs().maxCoeff(&row);
    straight(row, column) = axes(row, column) > 0.0 ? 1.0 : -1.0;
  }
  constexpr double near = 2.4;  // sum of three cosines: some 35 degrees in all
  const bool is_near =
      straight.cwiseProduct(axes).sum() > near && std::abs(straight.determinant() - 1.0) < 1e-9;
  if (!is_near) return {};
  return straight;
}

void set_sizes(Retargeting& r) {
  const double of_clip = leg_length(r.clip), of_hero = leg_length(r.hero);
  const double clip_size = paired_size(r, false), hero_size = paired_size(r, true);
  if (of_clip > 1e-12 && of_hero > 1e-12) {
    r.ratio = of_hero / of_clip;
    r.leg = of_hero;
    return;
  }
  if (clip_size > 1e-12 && hero_size > 1e-12) r.ratio = hero_size / clip_size;
  if (hero_size > 1e-12) r.leg = 0.5 * hero_size;
}

}  // namespace gvbind::retarget
