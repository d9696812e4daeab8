#include "retarget/body_roles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "retarget/beast_names.h"
#include "retarget/finger_names.h"
#include "retarget/name_words.h"
#include "rig/skeleton_words.h"

namespace gvbind::retarget {
namespace {

/// A skeleton with the words of its names. Nodes that are no joints have JointWord::helper.
struct Words {
  const RestSkeleton& skeleton;
  std::vector<std::string> names;  ///< in English
  rig::SkeletonWords words;
  std::vector<int> carriers;
  bool has_four_legs = false;  ///< by names

  std::size_t size() const { return carriers.size(); }
  bool is(int node, rig::JointWord word, int side) const {
    return words.words[node] == word && words.sides[node] == side;
  }
  bool lies_below(int node, int above) const {
    for (std::size_t steps = 0; node >= 0 && steps <= size(); node = carriers[node], ++steps)
      if (node == above) return true;
    return false;
  }
  /// From the node up to its root, the node first.
  std::vector<int> path_up(int node) const {
    std::vector<int> path;
    while (node >= 0 && path.size() <= size()) {
      path.push_back(node);
      node = carriers[node];
    }
    return path;
  }
  int depth(int node) const { return static_cast<int>(path_up(node).size()); }
  int common_above(int a, int b) const {
    for (const int node : path_up(a))
      if (lies_below(b, node)) return node;
    return -1;
  }
};

/// Nodes that are no joints get no keys, so they stay with the node that they hang from.
void keep_groups(const RestSkeleton& skeleton, std::vector<int>& carriers) {
  for (std::size_t i = 0; i < carriers.size(); ++i) {
    if (skeleton.is_joint[i]) continue;
    int above = skeleton.parents[i];
    for (std::size_t steps = 0; above >= 0 && above != static_cast<int>(i); ++steps)
      above = steps < carriers.size() ? carriers[above] : static_cast<int>(i);
    if (above < 0) carriers[i] = skeleton.parents[i];  // else it would carry itself
  }
}

/// `named`: by node, whether its name counts.
Words words_of(const RestSkeleton& skeleton, const std::vector<bool>& named) {
  std::vector<Joint> joints;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < skeleton.size(); ++i)
    names.push_back(named[i] ? english_name(skeleton.names[i]) : std::string());
  const bool four_legs = name_four_legs(skeleton.parents, names);
  for (std::size_t i = 0; i < skeleton.size(); ++i)
    joints.push_back({skeleton.world.positions[i], skeleton.parents[i], true, names[i]});
  rig::SkeletonWords words = rig::skeleton_words(joints);
  std::vector<int> carriers = rig::attached_parents(joints, words);
  keep_groups(skeleton, carriers);
  return {skeleton, std::move(names), std::move(words), std::move(carriers), four_legs};
}

std::string sided(const char* part, int side) {
  return std::string(part) + (side > 0 ? ".L" : ".R");
}

void put(BodyRoles& roles, const std::string& part, int node) {
  if (node >= 0) roles.parts[part] = {node};
}

/// The nearest node below with a word, the first of equally near ones; -1 if there is none.
int nearest_below(const Words& w, int above, rig::JointWord word, int side) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(w.size()); ++i)
    if (i != above && w.is(i, word, side) && w.lies_below(i, above) &&
        (best < 0 || w.depth(i) < w.depth(best)))
      best = i;
  return best;
}

struct Limb {
  int upper = -1, lower = -1, end = -1;
  int count() const { return (upper >= 0) + (lower >= 0) + (end >= 0); }
};

struct LimbWords {
  rig::JointWord upper, lower, end;
};

/// The most complete chain of upper part, lower part and end: rigs have several with these names.
Limb find_limb(const Words& w, const LimbWords& of, int side) {
  Limb best;
  for (int lower = 0; lower < static_cast<int>(w.size()); ++lower) {
    if (!w.is(lower, of.lower, side)) continue;
    Limb limb{-1, lower, nearest_below(w, lower, of.end, side)};
    bool is_topmost = true;
    for (const int above : w.path_up(lower)) {
      if (above != lower && w.is(above, of.lower, side)) is_topmost = false;
      if (w.is(above, of.upper, side)) limb.upper = above;
    }
    if (is_topmost && limb.count() > best.count()) best = limb;
  }
  return best;
}

void put_limb(BodyRoles& roles, const Limb& limb, const std::array<const char*, 3>& parts,
              int side) {
  if (limb.upper < 0 || limb.lower < 0) return;
  put(roles, sided(parts[0], side), limb.upper);
  put(roles, sided(parts[1], side), limb.lower);
  put(roles, sided(parts[2], side), limb.end);
}

/// The chain from below `above` down to `node`, the highest first; with or without `node`.
std::vector<int> chain_between(const Words& w, int above, int node, bool with_node) {
  std::vector<int> chain;
  for (const int at : w.path_up(node)) {
    if (at == above) break;
    if ((with_node || at != node) && w.skeleton.is_joint[at]) chain.push_back(at);
  }
  std::ranges::reverse(chain);
  return chain;
}

void put_fingers(BodyRoles& roles, const Words& w, int side) {
  const int hand = roles.first(sided("hand", side));
  if (hand < 0) return;
  for (int i = 0; i < static_cast<int>(w.size()); ++i) {
    if (i == hand || w.words.words[i] != rig::JointWord::finger || !w.lies_below(i, hand)) continue;
    if (const char* finger = finger_of(w.names[i])) roles.parts[sided(finger, side)].push_back(i);
  }
  for (auto& [part, nodes] : roles.parts)
    if (nodes.size() > 1)
      std::ranges::stable_sort(nodes, {}, [&](int node) { return w.depth(node); });
}

void put_arms_and_legs(BodyRoles& roles, const Words& w) {
  for (const int side : {1, -1}) {
    put_limb(
        roles,
        find_limb(w, {rig::JointWord::thigh, rig::JointWord::shin, rig::JointWord::foot}, side),
        {"thigh", "shin", "foot"}, side);
    put_limb(
        roles,
        find_limb(w, {rig::JointWord::upper_arm, rig::JointWord::forearm, rig::JointWord::hand},
                  side),
        {"upper_arm", "forearm", "hand"}, side);
    if (const int foot = roles.first(sided("foot", side)); foot >= 0)
      put(roles, sided("toe", side), nearest_below(w, foot, rig::JointWord::toe, side));
    put_fingers(roles, w, side);
  }
}

/// The joint from which both legs hang in the file, where it lies at them: rigs have a "Body" above
/// "Hips", and hips that carry the trunk alone. A beast's body may lie farther on in the trunk, and
/// carries the front legs, too. Else -1.
int body_above_hips(const BodyRoles& roles, const Words& w, int hips) {
  const int left = roles.first("thigh.L"), right = roles.first("thigh.R");
  const auto is_above = [&](int above, int node) {
    for (int at = node; at >= 0; at = w.skeleton.parents[at])
      if (at == above) return true;
    return false;
  };
  const auto carries_all = [&](int node) {
    for (const char* part : {"thigh.R", "upper_arm.L", "upper_arm.R"})
      if (const int limb = roles.first(part); limb >= 0 && !is_above(node, limb)) return false;
    return true;
  };
  // Some rigs have a group that is no joint between the body and each leg.
  const auto joint_above = [&](int node) {
    do node = w.skeleton.parents[node];
    while (node >= 0 && !w.skeleton.is_joint[node]);
    return node;
  };
  int above = joint_above(left);
  while (above >= 0 && w.has_four_legs && !carries_all(above)) above = joint_above(above);
  if (above < 0 || above == hips || !is_above(above, right) || !is_above(above, hips)) return -1;
  if (!w.has_four_legs && above != joint_above(right)) return -1;
  const auto& at = w.skeleton.world.positions;
  Eigen::Vector3d way = at[above] - 0.5 * (at[left] + at[right]);
  if (w.has_four_legs) way = Eigen::Vector3d(0.0, 0.5 * way.y(), 0.0);
  const bool is_near = way.norm() < (at[left] - at[roles.first("shin.L")]).norm();
  return is_near ? above : -1;
}

/// The joint that carries legs and trunk: the lowest one that is called hips above both thighs,
/// else the lowest one above both.
int find_hips(const BodyRoles& roles, const Words& w) {
  const int left = roles.first("thigh.L"), right = roles.first("thigh.R");
  if (left < 0 || right < 0) return -1;
  const int common = w.common_above(left, right);
  for (const int above : w.path_up(common))
    if (w.words.words[above] == rig::JointWord::hips) return above;
  return common;
}

int topmost(const Words& w, rig::JointWord word) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(w.size()); ++i)
    if (w.is(i, word, 0) && (best < 0 || w.depth(i) < w.depth(best))) best = i;
  return best;
}

void put_trunk(BodyRoles& roles, Words& w) {
  int hips = find_hips(roles, w);
  if (hips < 0) return;
  if (const int body = body_above_hips(roles, w, hips); body >= 0) {
    hips = body;
    for (const char* thigh : {"thigh.L", "thigh.R"}) w.carriers[roles.first(thigh)] = body;
  }
  put(roles, "hips", hips);
  const std::vector<int> up = w.path_up(hips);
  for (std::size_t i = up.size(); i-- > 1;)
    if (w.skeleton.is_joint[up[i]]) {
      put(roles, "root", up[i]);
      break;
    }
  int head = topmost(w, rig::JointWord::head);
  if (head >= 0 && !w.lies_below(head, hips)) head = -1;
  // Roblox's Head is the base of the neck then.
  for (int i = 0; i < static_cast<int>(w.size()); ++i)
    if (head >= 0 && w.skeleton.names[i] == "HeadBase" && w.carriers[i] == head) head = i;
  const int left = roles.first("upper_arm.L"), right = roles.first("upper_arm.R");
  int chest = left >= 0 && right >= 0 ? w.common_above(left, right) : -1;
  if (chest >= 0 && !w.lies_below(chest, hips)) chest = -1;
  if (chest < 0 && head >= 0) {
    // Without arms: the last joint below the head that is not called neck.
    chest = w.carriers[head];
    while (chest >= 0 && w.words.words[chest] == rig::JointWord::neck) chest = w.carriers[chest];
  }
  if (chest >= 0 && chest != hips)
    if (std::vector<int> spine = chain_between(w, hips, chest, true); !spine.empty())
      roles.parts["spine"] = std::move(spine);
  if (head >= 0) {
    put(roles, "head", head);
    const int from = chest >= 0 && w.lies_below(head, chest) ? chest : hips;
    if (std::vector<int> neck = chain_between(w, from, head, false); !neck.empty())
      roles.parts["neck"] = std::move(neck);
  }
  for (const int side : {1, -1}) {
    const int arm = roles.first(sided("upper_arm", side));
    if (arm < 0 || chest < 0) continue;
    const std::vector<int> collar = chain_between(w, chest, arm, false);
    if (!collar.empty()) put(roles, sided("collar", side), collar.front());
  }
}

struct VrmPart {
  std::string_view bone;
  const char* part;
};
constexpr VrmPart vrm_parts[] = {{"Shoulder", "collar"},
                                 {"UpperArm", "upper_arm"},
                                 {"LowerArm", "forearm"},
                                 {"Hand", "hand"},
                                 {"UpperLeg", "thigh"},
                                 {"LowerLeg", "shin"},
                                 {"Foot", "foot"},
                                 {"Toes", "toe"},
                                 {"ThumbMetacarpal", "thumb"},
                                 {"ThumbProximal", "thumb"},
                                 {"ThumbIntermediate", "thumb"},
                                 {"ThumbDistal", "thumb"},
                                 {"IndexProximal", "index"},
                                 {"IndexIntermediate", "index"},
                                 {"IndexDistal", "index"},
                                 {"MiddleProximal", "middle"},
                                 {"MiddleIntermediate", "middle"},
                                 {"MiddleDistal", "middle"},
                                 {"RingProximal", "ring"},
                                 {"RingIntermediate", "ring"},
                                 {"RingDistal", "ring"},
                                 {"LittleProximal", "little"},
                                 {"LittleIntermediate", "little"},
                                 {"LittleDistal", "little"}};

std::string part_of_bone(const std::string& bone) {
  if (bone == "hips" || bone == "neck" || bone == "head") return bone;
  if (bone == "spine" || bone == "chest" || bone == "upperChest") return "spine";
  const bool left = bone.starts_with("left"), right = bone.starts_with("right");
  if (!left && !right) return "";
  const std::string rest = bone.substr(left ? 4 : 5);
  for (const VrmPart& known : vrm_parts)
    if (rest == known.bone) return sided(known.part, left ? 1 : -1);
  return "";
}

/// The list in the file counts more than names.
void put_human_bones(BodyRoles& roles, const Words& w, const HumanBones& bones) {
  std::map<std::string, std::vector<int>> parts;
  for (const auto& [node, bone] : bones)
    if (const std::string part = part_of_bone(bone); !part.empty()) parts[part].push_back(node);
  if (!parts.contains("hips")) return;
  for (auto& [part, nodes] : parts)
    std::ranges::stable_sort(nodes, {}, [&](int node) { return w.depth(node); });
  if (const auto root = roles.parts.find("root"); root != roles.parts.end())
    parts["root"] = root->second;
  roles.parts = std::move(parts);
}

BodyRoles roles_of(const RestSkeleton& skeleton, const std::vector<bool>& named,
                   const HumanBones& bones) {
  Words w = words_of(skeleton, named);
  BodyRoles roles;
  put_arms_and_legs(roles, w);
  put_trunk(roles, w);
  put_human_bones(roles, w, bones);
  roles.carriers = w.carriers;
  return roles;
}

}  // namespace

int BodyRoles::first(const std::string& part) const {
  const auto found = parts.find(part);
  return found == parts.end() || found->second.empty() ? -1 : found->second.front();
}

bool BodyRoles::is_body() const {
  return first("hips") >= 0 && first("thigh.L") >= 0 && first("thigh.R") >= 0;
}

BodyRoles body_roles(const RestSkeleton& skeleton, const HumanBones& bones) {
  // Guides and controls of a rig have the same names as the joints that move the skin.
  std::vector<bool> of_skin = skeleton.is_joint;
  for (std::size_t i = 0; i < skeleton.by_skin.size(); ++i)
    of_skin[i] = of_skin[i] && skeleton.by_skin[i];
  if (of_skin != skeleton.is_joint)
    if (BodyRoles roles = roles_of(skeleton, of_skin, bones); roles.is_body()) return roles;
  return roles_of(skeleton, skeleton.is_joint, bones);
}

std::vector<int> carried_order(const std::vector<int>& carriers) {
  std::vector<int> order;
  std::vector<bool> listed(carriers.size(), false);
  for (std::size_t i = 0; i < carriers.size(); ++i) {
    std::vector<int> path;
    for (int at = static_cast<int>(i); at >= 0 && !listed[at]; at = carriers[at]) {
      listed[at] = true;
      path.push_back(at);
    }
    order.insert(order.end(), path.rbegin(), path.rend());
  }
  return order;
}

bool has_level_trunk(const RestSkeleton& skeleton, const BodyRoles& roles) {
  const auto& at = skeleton.world.positions;
  const auto middle = [&](const std::string& part) -> std::optional<Eigen::Vector3d> {
    const int left = roles.first(part + ".L"), right = roles.first(part + ".R");
    if (left < 0 || right < 0) return {};
    return Eigen::Vector3d(0.5 * (at[left] + at[right]));
  };
  const auto legs = middle("thigh"), arms = middle("upper_arm");
  const auto spine = roles.parts.find("spine");
  const int end = spine == roles.parts.end() ? roles.first("head") : spine->second.back();
  if (!roles.is_body() || !legs || (!arms && end < 0)) return false;
  constexpr double upright = 0.6;  // cosine
  const Eigen::Vector3d trunk = (arms ? *arms : at[end]) - *legs;
  return trunk.normalized().y() < upright;
}

bool stands_on_hands(const RestSkeleton& skeleton, const BodyRoles& roles) {
  constexpr double low = 0.55;  // of the height of the shoulders
  const auto& at = skeleton.world.positions;
  for (const std::string side : body_sides) {
    const int arm = roles.first("upper_arm" + side), hand = roles.first("hand" + side);
    int foot = roles.first("toe" + side);
    if (foot < 0) foot = roles.first("foot" + side);
    if (arm < 0 || hand < 0 || foot < 0) return false;
    const double ground = at[foot].y();
    if (at[hand].y() - ground > low * (at[arm].y() - ground)) return false;
  }
  return true;
}

}  // namespace gvbind::retarget
