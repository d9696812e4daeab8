#include "retarget/shape_roles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "retarget/own_body.h"
#include "retarget/shape_tree.h"

namespace gvbind::retarget {
namespace {

using Eigen::Vector3d;

/// How far both go down at least.
double drop_of(const ShapeTree& tree, const Branches& legs) {
  double drop = 1e300;
  for (const int leg : legs.joints) drop = std::min(drop, tree.at[leg].y() - tree.lowest(leg));
  return drop;
}

/// How far the ends of both lie above the ground, at most.
double above_ground(const ShapeTree& tree, const Branches& legs) {
  return std::max(tree.lowest(legs.joints[0]), tree.lowest(legs.joints[1])) - tree.ground;
}

std::optional<Branches> find_legs(const ShapeTree& tree, const std::vector<Branches>& pairs) {
  constexpr double least_drop = 0.15, low = 0.2;  // of the height
  std::optional<Branches> best;
  double least = 1e300;
  for (const Branches& pair : pairs) {
    const double drop = drop_of(tree, pair), ends = above_ground(tree, pair);
    if (drop < least_drop * tree.height || ends > low * tree.height) continue;
    if (ends - drop >= least) continue;
    least = ends - drop;
    best = pair;
  }
  return best;
}

/// Whether two more limbs from another joint stand on the ground.
bool has_front_legs(const ShapeTree& tree, const std::vector<Branches>& pairs,
                    const Branches& legs) {
  constexpr double on_ground = 0.12, least_drop = 0.15;  // of the height
  return std::ranges::any_of(pairs, [&](const Branches& pair) {
    if (pair.parent == legs.parent || are_nested(tree, pair, legs)) return false;
    return drop_of(tree, pair) >= least_drop * tree.height &&
           above_ground(tree, pair) < on_ground * tree.height;
  });
}

/// The longest pair that is no leg, those with fingers before others.
std::optional<Branches> find_arms(const ShapeTree& tree, const std::vector<Branches>& pairs,
                                  const Branches& legs) {
  constexpr double of_leg = 0.2, of_fingers = 0.05;
  std::optional<Branches> best;
  double most = -1.0;
  for (const Branches& pair : pairs) {
    if (are_nested(tree, pair, legs) || pair.shorter(tree) < of_leg * legs.shorter(tree)) continue;
    std::size_t most_children = 0;
    for (const int joint : tree.longest(pair.joints[0]))
      most_children = std::max(most_children, tree.children[joint].size());
    const double value =
        pair.shorter(tree) / tree.size +
        of_fingers * static_cast<double>(std::min<std::size_t>(most_children, 5)) / 5.0;
    if (value <= most) continue;
    most = value;
    best = pair;
  }
  return best;
}

/// Two bones and the joint at their end, with the joints of the branch before and after them.
struct ShapeLimb {
  int upper = -1, lower = -1, end = -1;
  std::vector<int> before, after;
};

/// Joints of a limb before its upper bone, at most.
constexpr std::size_t most_before = 2;

/// The three joints of a path for which `value` is largest. Each joint that is skipped between them
/// costs: these are twist joints at best.
ShapeLimb best_limb(const ShapeTree& tree, const std::vector<int>& path,
                    const std::function<double(std::size_t, std::size_t, std::size_t)>& value) {
  constexpr std::size_t most_joints = 48;
  constexpr double of_skipped = 0.3;
  const std::size_t size = std::min(path.size(), most_joints);
  std::array<std::size_t, 3> at = {0, 1, 2};
  double most = -1e300;
  for (std::size_t i = 0; i <= most_before; ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      for (std::size_t k = j + 1; k < size; ++k) {
        if (!(tree.way(path[i], path[j]) > 0.0) || !(tree.way(path[j], path[k]) > 0.0)) continue;
        const double of = value(i, j, k) - of_skipped * static_cast<double>(k - i - 2);
        if (of > most) at = {i, j, k};
        most = std::max(most, of);
      }
  ShapeLimb out;
  out.upper = path[at[0]];
  out.lower = path[at[1]];
  out.end = path[at[2]];
  const auto place = [&](std::size_t n) { return path.begin() + static_cast<std::ptrdiff_t>(n); };
  out.before.assign(path.begin(), place(at[0]));
  out.after.assign(place(at[2]) + 1, path.end());
  return out;
}

double ratio_of_bones(const ShapeTree& tree, int upper, int lower, int end) {
  return std::abs(std::log(tree.way(upper, lower) / tree.way(lower, end)));
}

/// How level a bone is, 0 to 1.
double levelness(const ShapeTree& tree, int from, int to) {
  const Vector3d way = tree.at[to] - tree.at[from];
  return std::hypot(way.x(), way.z()) / std::max(way.norm(), 1e-12);
}

/// Two bones of like length that go down, after which the foot goes on level.
ShapeLimb leg_limb(const ShapeTree& tree, int root) {
  const std::vector<int> path = tree.longest(root);
  return best_limb(tree, path, [&](std::size_t i, std::size_t j, std::size_t k) {
    const double drop = (tree.at[path[i]].y() - tree.at[path[k]].y()) / tree.height;
    double value = drop - 0.5 * ratio_of_bones(tree, path[i], path[j], path[k]) -
                   0.08 * static_cast<double>(i);
    if (k + 1 < path.size())
      value += 0.15 * (levelness(tree, path[k], path[k + 1]) - levelness(tree, path[j], path[k]));
    return value;
  });
}

/// Two bones of like length, from where both arms are apart; the hand is where fingers begin
/// or, without these, where at most a hand's length is left.
ShapeLimb arm_limb(const ShapeTree& tree, int root, int other_root) {
  const std::vector<int> path = tree.longest(root), other = tree.longest(other_root);
  constexpr double of_finger = 0.1, of_hand = 0.9, of_shoulders = 0.2;
  std::size_t first = 0, hand = 0;
  const auto is_collar = [&](std::size_t k) {
    return k < other.size() && tree.way(path[k], other[k]) < of_shoulders * tree.reach[root];
  };
  while (first < most_before && first + 3 < path.size() && is_collar(first)) ++first;
  for (std::size_t k = first + 2; k < path.size() && hand == 0; ++k)
    if (std::ranges::count_if(tree.children[path[k]], [&](int finger) {
          return tree.way(path[k], finger) + tree.reach[finger] > of_finger * tree.reach[root];
        }) >= 2)
      hand = k;
  return best_limb(tree, path, [&](std::size_t i, std::size_t j, std::size_t k) {
    if (i < first || (hand > 0 && k != hand)) return -1e200;
    const double upper = tree.way(path[i], path[j]), lower = tree.way(path[j], path[k]);
    double value =
        0.5 * (upper + lower) / tree.reach[root] - ratio_of_bones(tree, path[i], path[j], path[k]);
    if (hand == 0)
      value -= 0.5 * std::max(0.0, tree.reach[path[k]] / std::min(upper, lower) - of_hand);
    return value;
  });
}

/// Where toes point or else knees; +z for legs that tell nothing.
Vector3d front_of(const ShapeTree& tree, const std::array<ShapeLimb, 2>& legs) {
  constexpr double least_toe = 0.02, least_knee = 0.004;  // of the height
  Vector3d toes = Vector3d::Zero(), knees = toes;
  for (const ShapeLimb& leg : legs) {
    toes += tree.at[tree.longest(leg.end).back()] - tree.at[leg.end];
    const Vector3d whole = tree.at[leg.end] - tree.at[leg.upper],
                   knee = tree.at[leg.lower] - tree.at[leg.upper];
    knees += knee - whole * (knee.dot(whole) / std::max(whole.squaredNorm(), 1e-12));
  }
  toes.y() = knees.y() = 0.0;
  if (toes.norm() > least_toe * tree.height) return toes.normalized();
  if (knees.norm() > least_knee * tree.height) return knees.normalized();
  return Vector3d::UnitZ();
}

/// The left limb first.
void sort_sides(const ShapeTree& tree, const Vector3d& front, std::array<ShapeLimb, 2>& limbs) {
  const auto place = [&](const ShapeLimb& limb) {
    return Vector3d(tree.at[limb.upper] + tree.at[limb.lower] + tree.at[limb.end]);
  };
  if (world_up.cross(front).dot(place(limbs[0]) - place(limbs[1])) < 0.0)
    std::swap(limbs[0], limbs[1]);
}

Vector3d middle_of(const ShapeTree& tree, const std::array<ShapeLimb, 2>& limbs) {
  return 0.5 * (tree.at[limbs[0].upper] + tree.at[limbs[1].upper]);
}

/// The joint that moves the whole body: above legs and arms, near the legs; -1 if there is none.
int find_hips(const ShapeTree& tree, const Vector3d& middle, int of_legs, int chest) {
  constexpr double far = 0.15, near = 0.12;  // of the size
  int hips = tree.common_above(of_legs, chest);
  if (hips < 0) return -1;
  const auto way = [&](int joint) { return (tree.at[joint] - middle).norm(); };
  if (way(hips) > far * tree.size)
    for (int joint = chest, end = tree.parents[hips]; joint != end; joint = tree.parents[joint])
      if (way(joint) < way(hips)) hips = joint;
  for (int above = tree.parents[hips]; above >= 0; above = tree.parents[above]) {
    if (!(tree.owned[above] > 0.0) || way(above) >= near * tree.size) break;
    hips = above;
  }
  return hips;
}

/// The chain in the middle from the chest upwards: neck and head, or none.
std::vector<int> head_chain(const ShapeTree& tree, int chest, const Branches& arms,
                            const Vector3d& middle, const Vector3d& left) {
  const auto next = [&](int from, double aside) {
    int best = -1;
    for (const int child : tree.children[from]) {
      if (child == arms.joints[0] || child == arms.joints[1]) continue;
      if (std::abs(left.dot(tree.at[child] - middle)) > aside * tree.size) continue;
      if (best < 0 || tree.top[child] > tree.top[best]) best = child;
    }
    return best;
  };
  constexpr double of_neck = 0.05, of_head = 0.03;
  std::vector<int> chain;
  for (int joint = next(chest, of_neck); joint >= 0; joint = next(joint, of_head))
    chain.push_back(joint);
  return chain;
}

/// Which joint of the chain is the head: the one that carries most others, such as eyes and hair;
/// else the one that most of the skin follows or, where weights are not known, the last of two or
/// the one before the end.
std::size_t head_in(const ShapeTree& tree, const std::vector<int>& chain) {
  std::size_t best = 0, heaviest = 0;
  for (std::size_t k = 1; k < chain.size(); ++k) {
    if (tree.children[chain[k]].size() > tree.children[chain[best]].size()) best = k;
    if (tree.owned[chain[k]] >= tree.owned[chain[heaviest]]) heaviest = k;
  }
  if (tree.children[chain[best]].size() >= 2) return best;
  if (tree.knows_weights) return heaviest;
  return chain.size() - (chain.size() >= 3 ? 2 : 1);
}

void put_limbs(BodyRoles& roles, const std::array<ShapeLimb, 2>& limbs,
               const std::array<const char*, 3>& parts) {
  for (std::size_t side = 0; side < 2; ++side) {
    roles.parts[std::string(parts[0]) + body_sides[side]] = {limbs[side].upper};
    roles.parts[std::string(parts[1]) + body_sides[side]] = {limbs[side].lower};
    roles.parts[std::string(parts[2]) + body_sides[side]] = {limbs[side].end};
  }
}

void put_trunk(BodyRoles& roles, const ShapeTree& tree, int hips, int chest) {
  roles.parts["hips"] = {hips};
  const std::vector<int> above = tree.path_up(hips);
  if (above.size() > 1) roles.parts["root"] = {above.back()};
  std::vector<int> spine;
  for (int joint = chest; joint >= 0 && joint != hips; joint = tree.parents[joint])
    spine.push_back(joint);
  std::ranges::reverse(spine);
  if (!spine.empty()) roles.parts["spine"] = spine;
}

/// By node, the sum of its skin weights.
std::vector<double> owned_by(const NodeScene& scene) {
  std::vector<double> owned(scene.nodes.size(), 0.0);
  for (const Node& node : scene.nodes) {
    if (node.mesh < 0 || node.skin < 0) continue;
    const auto& weights = scene.meshes[node.mesh].weights;
    const std::vector<int>& joints = scene.skins[node.skin].joints;
    for (std::size_t v = 0; v + 1 < weights.first.size(); ++v)
      for (const Influence& one : weights.row(v))
        if (one.joint < joints.size() && joints[one.joint] >= 0)
          owned[joints[one.joint]] += one.weight;
  }
  return owned;
}

}  // namespace

BodyRoles shape_roles(const RestSkeleton& skeleton, const std::vector<double>& owned) {
  BodyRoles roles;
  roles.carriers = skeleton.parents;
  const ShapeTree tree = shape_tree(skeleton, owned);
  if (!(tree.height > 0.0)) return roles;
  const std::vector<Branches> pairs = alike_branches(tree);
  const std::optional<Branches> legs = find_legs(tree, pairs);
  if (!legs || has_front_legs(tree, pairs, *legs)) return roles;
  const std::optional<Branches> arms = find_arms(tree, pairs, *legs);
  if (!arms) return roles;
  std::array<ShapeLimb, 2> of_legs = {leg_limb(tree, legs->joints[0]),
                                      leg_limb(tree, legs->joints[1])},
                           of_arms = {arm_limb(tree, arms->joints[0], arms->joints[1]),
                                      arm_limb(tree, arms->joints[1], arms->joints[0])};
  const Vector3d front = front_of(tree, of_legs);
  sort_sides(tree, front, of_legs);
  sort_sides(tree, front, of_arms);
  constexpr double upright = 0.6;  // cosine
  const Vector3d trunk = middle_of(tree, of_arms) - middle_of(tree, of_legs);
  const int chest = arms->parent;
  const int hips = find_hips(tree, middle_of(tree, of_legs), legs->parent, chest);
  if (hips < 0 || trunk.y() < upright * trunk.norm()) return roles;
  put_limbs(roles, of_legs, {"thigh", "shin", "foot"});
  put_limbs(roles, of_arms, {"upper_arm", "forearm", "hand"});
  for (std::size_t side = 0; side < 2; ++side) {
    if (!of_legs[side].after.empty())
      roles.parts[std::string("toe") + body_sides[side]] = {of_legs[side].after.front()};
    if (!of_arms[side].before.empty())
      roles.parts[std::string("collar") + body_sides[side]] = {of_arms[side].before.front()};
    const int foot = of_legs[side].end;
    if (tree.parents[foot] == of_legs[side].lower) roles.carriers[foot] = of_legs[side].lower;
  }
  put_trunk(roles, tree, hips, chest);
  const std::vector<int> chain =
      head_chain(tree, chest, *arms, middle_of(tree, of_arms), world_up.cross(front));
  if (!chain.empty()) {
    const std::size_t head = head_in(tree, chain);
    roles.parts["head"] = {chain[head]};
    if (head > 0)
      roles.parts["neck"] = {chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(head)};
  }
  roles.by_shape = true;
  return roles;
}

BodyRoles parts_by_shape(const NodeScene& scene) {
  std::optional<RestSkeleton> rest = bind_pose_skeleton(scene);
  if (!rest) rest = node_pose_skeleton(scene);
  // A skin may follow few joints of its skeleton, as before it is bound.
  BodyRoles roles = shape_roles(*rest, owned_by(scene));
  return roles.by_shape ? roles : shape_roles(*rest, {});
}

BodyRoles scene_roles(const NodeScene& scene, const HumanBones& bones) {
  BodyRoles roles = body_roles(node_pose_skeleton(scene), bones);
  if (roles.is_body()) return roles;
  BodyRoles by_shape = parts_by_shape(scene);
  return by_shape.by_shape ? by_shape : roles;
}

}  // namespace gvbind::retarget
