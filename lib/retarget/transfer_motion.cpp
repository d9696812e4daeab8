#include "retarget/transfer_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "gvbind/base/joint_keys.h"
#include "retarget/body_sizes.h"

namespace gvbind::retarget {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Where a bone of a limb points to: the part below it.
std::string next_part(const std::string& part) {
  const std::size_t dot = part.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string limb = part.substr(0, dot), side = part.substr(dot);
  constexpr std::array<std::array<const char*, 2>, 5> below = {{{"upper_arm", "forearm"},
                                                                {"forearm", "hand"},
                                                                {"hand", "middle"},
                                                                {"thigh", "shin"},
                                                                {"shin", "foot"}}};
  for (const auto& [upper, lower] : below)
    if (limb == upper) return lower + side;
  return "";
}

bool is_finger(const std::string& part) {
  return part.starts_with("thumb") || part.starts_with("index") || part.starts_with("middle") ||
         part.starts_with("ring") || part.starts_with("little");
}

/// Trunk, collars, feet and toes stand alike in all rest poses; their joints lie elsewhere in other
/// rigs, so directions between these would bend them.
bool keeps_rest(const std::string& part) {
  for (const char* kept : {"hips", "spine", "neck", "head", "collar", "foot", "toe"})
    if (part.starts_with(kept)) return true;
  return false;
}

/// The node after one in its part, or the first of the part below; -1 if there is none.
int next_node(const BodyRoles& roles, const std::string& part, int node) {
  if (!is_finger(part)) return roles.first(next_part(part));
  const std::vector<int>& chain = roles.parts.at(part);
  const auto at = std::ranges::find(chain, node);
  return at == chain.end() || at + 1 == chain.end() ? -1 : *(at + 1);
}

std::optional<Vector3d> bone_direction(const MappedSkeleton& s, const std::string& part, int node) {
  if (part.empty() || !s.roles.parts.contains(part)) return {};
  const int next = next_node(s.roles, part, node);
  if (next < 0) return {};
  const Vector3d way = s.skeleton.world.positions[next] - s.skeleton.world.positions[node];
  if (!(way.norm() > 1e-9)) return {};
  return way.normalized();
}

std::vector<const JointPair*> pair_of_nodes(const Retargeting& r) {
  std::vector<const JointPair*> out(r.hero.skeleton.size(), nullptr);
  for (const JointPair& pair : r.map.pairs) out[pair.hero] = &pair;
  return out;
}

/// Whether both skeletons are one by an author: names are equal, and in the frames of the joints
/// the bones point alike. Then equal rotations mean equal poses, whatever the rest poses are.
bool has_same_axes(const Retargeting& r, const std::vector<const JointPair*>& pairs) {
  constexpr double most_names = 0.8, most_alike = 0.8;
  const double alike_cosine = std::cos(M_PI / 6.0);
  std::size_t named = 0, bones = 0, alike = 0;
  for (const JointPair& pair : r.map.pairs) {
    named += pair.clip_next < 0 && joint_key(r.hero.skeleton.names[pair.hero]) ==
                                       joint_key(r.clip.skeleton.names[pair.clip]);
    const int above = r.hero.skeleton.parents[pair.hero];
    if (above < 0 || !pairs[above] || pairs[above]->clip != r.clip.skeleton.parents[pair.clip])
      continue;
    const auto bone = [](const RestSkeleton& s, int from, int to) {
      return Vector3d(s.world.rotations[from].conjugate() *
                      (s.world.positions[to] - s.world.positions[from]));
    };
    const Vector3d hero = bone(r.hero.skeleton, above, pair.hero),
                   clip = bone(r.clip.skeleton, pairs[above]->clip, pair.clip);
    if (!(hero.norm() > 1e-6 * r.leg) || !(clip.norm() * r.ratio > 1e-6 * r.leg)) continue;
    ++bones;
    alike += hero.normalized().dot(clip.normalized()) > alike_cosine;
  }
  const auto all = static_cast<double>(r.map.pairs.size());
  return bones > 0 && static_cast<double>(named) >= most_names * all &&
         static_cast<double>(alike) >= most_alike * static_cast<double>(bones);
}

void set_alignment(Retargeting& r) {
  const std::vector<const JointPair*> pairs = pair_of_nodes(r);
  r.align.assign(r.hero.skeleton.size(), Quaterniond::Identity());
  r.same_axes = has_same_axes(r, pairs);
  // Beasts stand in their rest poses, each as it is built.
  if (has_level_trunk(r.clip.skeleton, r.clip.roles) &&
      has_level_trunk(r.hero.skeleton, r.hero.roles))
    return;
  if (r.same_axes) {
    const Quaterniond axes(r.axes);
    for (const JointPair& pair : r.map.pairs)
      r.align[pair.hero] = (axes * r.clip.skeleton.world.rotations[pair.clip] *
                            r.hero.skeleton.world.rotations[pair.hero].conjugate())
                               .normalized();
    return;
  }
  for (const int node : carried_order(r.hero.roles.carriers)) {
    const int carrier = r.hero.roles.carriers[node];
    if (pairs[node] && keeps_rest(pairs[node]->part)) continue;
    if (carrier >= 0) r.align[node] = r.align[carrier];
    if (!pairs[node]) continue;
    const auto hero = bone_direction(r.hero, pairs[node]->part, node);
    const auto clip = bone_direction(r.clip, pairs[node]->part, pairs[node]->clip);
    if (!hero || !clip) continue;
    const Vector3d from = r.align[node] * *hero, to = r.axes * *clip;
    r.align[node] = (Quaterniond::FromTwoVectors(from, to) * r.align[node]).normalized();
  }
}

/// Where a node of the clip is, seen from one above it, or in the world.
Vector3d carried_place(const WorldPose& pose, int above, int node) {
  if (above < 0) return pose.positions[node];
  return pose.rotations[above].conjugate() * (pose.positions[node] - pose.positions[above]);
}

/// How a node of the clip is turned against one above it.
Quaterniond carried_turn(const WorldPose& pose, int above, int node) {
  return pose.rotations[above].conjugate() * pose.rotations[node];
}

bool is_carried_by(const MappedSkeleton& s, int node, int above) {
  for (int at = s.roles.carriers[node]; at >= 0; at = s.roles.carriers[at])
    if (at == above) return true;
  return false;
}

/// The pair that carries one in both skeletons; null for pairs that hang from none. Nothing where
/// the skeletons differ in that.
std::optional<const JointPair*> carrying_pair(const Retargeting& r,
                                              const std::vector<const JointPair*>& pairs,
                                              const JointPair& pair) {
  int above = r.hero.roles.carriers[pair.hero];
  while (above >= 0 && !pairs[above]) above = r.hero.roles.carriers[above];
  if (above >= 0)
    return is_carried_by(r.clip, pair.clip, pairs[above]->clip) ? std::optional(pairs[above])
                                                                : std::nullopt;
  for (const JointPair& other : r.map.pairs)
    if (is_carried_by(r.clip, pair.clip, other.clip)) return {};
  return nullptr;
}

/// How far a pair is from its place at rest in the clip, in the hero's world.
Vector3d slide_of(const Retargeting& r, const std::vector<const JointPair*>& pairs,
                  const JointPair& pair, const WorldPose& clip, const WorldPose& hero) {
  const JointPair* above = carrying_pair(r, pairs, pair).value_or(nullptr);
  const int node = above ? above->clip : -1;
  const Vector3d way =
      carried_place(clip, node, pair.clip) - carried_place(r.clip.skeleton.world, node, pair.clip);
  return r.ratio * (above ? hero.rotations[above->hero] * way : Vector3d(r.axes * way));
}

/// Rotations and positions of the hero: paired nodes get theirs from `rotation_of`, all others
/// stay to the node that carries them as at rest.
template <typename RotationOf>
WorldPose carried_pose(const Retargeting& r, const std::vector<const JointPair*>& pairs,
                       const RotationOf& rotation_of, const WorldPose* clip = nullptr,
                       const SharedJoints& shared = {}) {
  const WorldPose& rest = r.hero.skeleton.world;
  WorldPose out = rest;
  for (const int node : carried_order(r.hero.roles.carriers)) {
    const int carrier = r.hero.roles.carriers[node];
    if (carrier >= 0) {
      const Quaterniond turn = out.rotations[carrier] * rest.rotations[carrier].conjugate();
      out.rotations[node] = (turn * rest.rotations[node]).normalized();
      out.positions[node] =
          out.positions[carrier] + turn * (rest.positions[node] - rest.positions[carrier]);
    }
    if (clip && !shared.slides.empty() && shared.slides[node])
      out.positions[node] += slide_of(r, pairs, *pairs[node], *clip, out);
    const bool rests = !shared.rests.empty() && shared.rests[node];
    if (pairs[node] && !rests) out.rotations[node] = rotation_of(node, *pairs[node]).normalized();
  }
  return out;
}

/// How much lower the feet are under the hips with the legs as the clip's.
double lift_of(const Retargeting& r) {
  const WorldPose aligned = carried_pose(r, pair_of_nodes(r), [&](int node, const JointPair&) {
    return r.align[node] * r.hero.skeleton.world.rotations[node];
  });
  double lowest = 1e300, before = 1e300;
  for (const std::string side : body_sides) {
    const int foot = r.hero.roles.first("foot" + side);
    if (foot < 0) return 0.0;
    lowest = std::min(lowest, aligned.positions[foot].y());
    before = std::min(before, r.hero.skeleton.world.positions[foot].y());
  }
  return before - lowest;
}

/// The pair that moves the whole body.
int find_mover(const Retargeting& r) {
  int best = -1, best_depth = 0;
  for (std::size_t p = 0; p < r.map.pairs.size(); ++p) {
    if (r.map.pairs[p].part == "hips") return static_cast<int>(p);
    int depth = 0;
    for (int at = r.map.pairs[p].hero; at >= 0; at = r.hero.skeleton.parents[at]) ++depth;
    if (best < 0 || depth < best_depth) {
      best = static_cast<int>(p);
      best_depth = depth;
    }
  }
  return best;
}

/// The turn of a node of the clip since rest, in the hero's world.
Quaterniond turn_of(const Retargeting& r, const Quaterniond& axes, const WorldPose& clip,
                    const JointPair& pair) {
  const auto turn = [&](int node) {
    return (clip.rotations[node] * r.clip.skeleton.world.rotations[node].conjugate()).normalized();
  };
  Quaterniond out = turn(pair.clip);
  if (pair.clip_next >= 0) out = out.slerp(pair.share, turn(pair.clip_next));
  return axes * out * axes.conjugate();
}

}  // namespace

Retargeting make_retargeting(const MappedSkeleton& clip, const MappedSkeleton& hero, JointMap map) {
  Retargeting r{clip, hero, std::move(map)};
  const auto from = body_axes(clip), to = body_axes(hero);
  if (from && to) r.axes = *to * from->transpose();
  set_sizes(r);
  set_alignment(r);
  r.mover = find_mover(r);
  r.lift = lift_of(r);
  return r;
}

double ground_shift(const Retargeting& r, const WorldMotion& clip) {
  constexpr double apart = 0.3;  // of a leg: below that the clip may jump or crouch
  if (r.same_axes && r.mover >= 0) {
    // Where both rest on one floor, a clip off the ground flies or climbs.
    const JointPair& mover = r.map.pairs[static_cast<std::size_t>(r.mover)];
    const Vector3d of_clip = r.axes * r.clip.skeleton.world.positions[mover.clip];
    const double above = r.ratio * of_clip.y() - r.hero.skeleton.world.positions[mover.hero].y();
    if (std::abs(above) < apart * r.leg) return 0.0;
  }
  const Vector3d up = r.axes.transpose() * Vector3d::UnitY();
  std::vector<int> feet;
  for (const std::string side : body_sides)
    for (const char* part : {"foot", "toe"})
      if (const int node = r.clip.roles.first(part + side); node >= 0) feet.push_back(node);
  if (feet.empty() || clip.empty()) return 0.0;
  const auto lowest = [&](const WorldPose& pose) {
    double low = 1e300;
    for (const int node : feet) low = std::min(low, up.dot(pose.positions[node]));
    return low;
  };
  std::vector<double> heights;
  for (const WorldPose& pose : clip) heights.push_back(lowest(pose));
  const auto low = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 50);
  std::ranges::nth_element(heights, low);
  const double shift = *low - lowest(r.clip.skeleton.world);
  return std::abs(shift) * r.ratio > apart * r.leg ? shift : 0.0;
}

SharedJoints shared_joints(const Retargeting& r, const WorldMotion& clip) {
  SharedJoints shared;
  if (!r.same_axes || clip.empty()) return shared;
  constexpr double least_way = 0.002, least_turn = 0.3 * M_PI / 180.0;  // of a leg; radians
  shared.slides.assign(r.hero.skeleton.size(), false);
  shared.rests.assign(r.hero.skeleton.size(), false);
  const std::vector<const JointPair*> pairs = pair_of_nodes(r);
  for (std::size_t p = 0; p < r.map.pairs.size(); ++p) {
    const JointPair& pair = r.map.pairs[p];
    const auto carrying = carrying_pair(r, pairs, pair);
    if (static_cast<int>(p) == r.mover || !carrying) continue;
    const int above = *carrying ? (*carrying)->clip : -1;
    const WorldPose& rest = r.clip.skeleton.world;
    double way = 0.0, turn = above < 0 ? 1e300 : 0.0;
    for (const WorldPose& pose : clip) {
      way = std::max(
          way,
          (carried_place(pose, above, pair.clip) - carried_place(rest, above, pair.clip)).norm());
      if (above >= 0)
        turn = std::max(turn, carried_turn(pose, above, pair.clip)
                                  .angularDistance(carried_turn(rest, above, pair.clip)));
    }
    shared.slides[pair.hero] = r.ratio * way > least_way * r.leg;
    shared.rests[pair.hero] = turn < least_turn;
  }
  return shared;
}

WorldPose transfer_pose(const Retargeting& r, const WorldPose& clip, double shift,
                        const SharedJoints& shared) {
  const std::vector<const JointPair*> pairs = pair_of_nodes(r);
  const Quaterniond axes(r.axes);
  const WorldPose& rest = r.hero.skeleton.world;
  WorldPose out = carried_pose(
      r, pairs,
      [&](int node, const JointPair& pair) {
        return turn_of(r, axes, clip, pair) * r.align[node] * rest.rotations[node];
      },
      &clip, shared);
  if (r.mover < 0) return out;
  const JointPair& mover = r.map.pairs[static_cast<std::size_t>(r.mover)];
  Vector3d way =
      r.axes * (clip.positions[mover.clip] - r.clip.skeleton.world.positions[mover.clip]);
  way = r.ratio * (way - shift * Vector3d::UnitY()) + r.lift * Vector3d::UnitY();
  const Vector3d move = rest.positions[mover.hero] + way - out.positions[mover.hero];
  for (std::size_t i = 0; i < out.positions.size(); ++i)
    for (int at = static_cast<int>(i); at >= 0; at = r.hero.roles.carriers[at])
      if (at == mover.hero) {
        out.positions[i] += move;
        break;
      }
  return out;
}

}  // namespace gvbind::retarget
