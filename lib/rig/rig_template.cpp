#include "rig/rig_template.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "rig/mirror_joints.h"
#include "rig/skeleton_words.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

constexpr std::size_t max_joints = 2048;  // because the search for mirror joints is quadratic

// Relative to the skeleton's size.
constexpr double least_limb = 0.15;  // shorter branches follow their parent
// Relative to the longest bone: the first bone of this length starts the limb.
constexpr double least_share = 0.6;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::cannot_bind, "the template " + message);
}

void check_joints(std::span<const Joint> joints) {
  if (joints.size() > max_joints)
    refuse("has " + grouped(joints.size()) + " joints; it takes " + grouped(max_joints) +
           " at most");
  if (joints.size() < 3)
    refuse("has " + std::to_string(joints.size()) + (joints.size() == 1 ? " joint" : " joints") +
           "; it takes three at least");
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent >= static_cast<int>(j))
      refuse("has a cycle, or a joint before its parent, at '" + joints[j].name + "'");
    if (!joints[j].position.allFinite())
      refuse("has a joint at no finite place: '" + joints[j].name + "'");
  }
}

/// Moves detached feet, hands and the like below their limbs; parents first.
void attach_limb_ends(RigTemplate& rig) {
  const std::vector<Joint> given = rig.joints;
  const SkeletonWords named = skeleton_words(given);
  std::vector<int> parents = attached_parents(given, named);
  rig.joints.clear();
  std::vector<int> index(given.size(), -1);
  while (rig.joints.size() < given.size()) {
    const std::size_t before = rig.joints.size();
    for (std::size_t j = 0; j < given.size(); ++j) {
      const int parent = parents[j];
      if (index[j] >= 0 || (parent >= 0 && index[parent] < 0)) continue;
      index[j] = static_cast<int>(rig.joints.size());
      rig.sources.push_back(j);
      rig.joints.push_back(given[j]);
      rig.joints.back().parent = parent >= 0 ? index[parent] : -1;
      rig.words.push_back(named.words[j]);
    }
    // If a shin is below its own foot (controls in a cycle), keep the input.
    if (rig.joints.size() == before) {
      for (std::size_t j = 0; j < given.size(); ++j) parents[j] = given[j].parent;
      rig.joints.clear();
      rig.sources.clear();
      rig.words.clear();
      std::ranges::fill(index, -1);
    }
  }
}

/// Derived data of a skeleton that several steps share.
struct Shape {
  std::span<const Joint> joints;
  std::vector<JointWord> words;
  std::vector<std::vector<int>> children;
  std::vector<bool> kept;  ///< part of a limb or of the trunk; others follow
  double size = 0.0;

  const Vector3d& at(int j) const { return joints[j].position; }
  JointWord word(int j) const { return words[j]; }
  std::vector<int> kept_children(int j) const {
    std::vector<int> found;
    for (const int child : children[j])
      if (kept[child]) found.push_back(child);
    return found;
  }
};

bool follows(JointWord word) {
  return word == JointWord::helper || word == JointWord::face || word == JointWord::finger ||
         word == JointWord::end || word == JointWord::toe;
}

/// Whether there is more than a hand, whose limbs are its fingers.
bool has_trunk(const Shape& shape) {
  return std::ranges::any_of(shape.words, [](JointWord word) {
    return word == JointWord::hips || word == JointWord::spine || word == JointWord::chest ||
           word == JointWord::head || word == JointWord::upper_arm || word == JointWord::thigh;
  });
}

/// By joint, whether it or a descendant is named as a part of the body. A rig control between two
/// bones is part of the limb; one beside a bone is not.
std::vector<bool> lead_to_body(const Shape& shape) {
  std::vector<bool> leads(shape.joints.size(), false);
  for (std::size_t j = leads.size(); j-- > 0;) {
    const JointWord word = shape.words[j];
    if (word != JointWord::none && word != JointWord::finger && word != JointWord::face &&
        word != JointWord::end && word != JointWord::helper)
      leads[j] = true;
    if (const int parent = shape.joints[j].parent; parent >= 0 && leads[j]) leads[parent] = true;
  }
  return leads;
}

/// Whether a joint is one of several that hang from a forearm: fingers, whatever their names.
bool is_one_of_fingers(const Shape& shape, std::size_t joint) {
  const std::vector<int>& siblings = shape.children[shape.joints[joint].parent];
  if (shape.word(shape.joints[joint].parent) != JointWord::forearm) return false;
  const auto count = [&](JointWord word) {
    return std::ranges::count_if(siblings, [&](int child) { return shape.word(child) == word; });
  };
  if (shape.words[joint] == JointWord::hand) return count(JointWord::hand) > 1;
  return shape.words[joint] == JointWord::none &&
         count(JointWord::none) + count(JointWord::hand) > 1;
}

void find_kept(Shape& shape) {
  const std::size_t count = shape.joints.size();
  const bool fingers_follow = has_trunk(shape);
  const std::vector<bool> leads = lead_to_body(shape);
  std::vector<double> reach(count, 0.0);
  shape.kept.assign(count, false);
  for (std::size_t j = count; j-- > 0;) {
    const int parent = shape.joints[j].parent;
    if (parent < 0) continue;
    const JointWord word = shape.words[j];
    const double bone = (shape.joints[j].position - shape.at(parent)).norm();
    if (word == JointWord::face || (word == JointWord::helper && !leads[j])) continue;
    double& above = reach[parent];
    above = std::max(above, bone + reach[j]);
    const bool is_named = word == JointWord::neck || word == JointWord::head ||
                          word == JointWord::foot || word == JointWord::hand;
    const bool is_limb = !follows(word) || word == JointWord::helper ||
                         (word == JointWord::finger && !fingers_follow);
    shape.kept[j] = is_limb && (is_named || bone + reach[j] >= least_limb * shape.size);
  }
  for (std::size_t j = 0; j < count; ++j) {
    const int parent = shape.joints[j].parent;
    if (parent < 0) shape.kept[j] = true;
    if (parent < 0) continue;
    // Horns and held objects are not limbs.
    const JointWord above = shape.word(parent);
    const bool is_beyond =
        fingers_follow &&
        (is_one_of_fingers(shape, j) || (shape.words[j] == JointWord::none &&
                                         (above == JointWord::hand || above == JointWord::head)));
    if (is_beyond || !shape.kept[parent]) shape.kept[j] = false;
  }
}

/// A spine without limbs at its end, as exporters leave it for rigs with controls, ends inside the
/// body.
bool ends_inside(const Shape& shape, int end) {
  const JointWord word = shape.word(end);
  const auto has = [&](JointWord wanted) {
    return std::ranges::find(shape.words, wanted) != shape.words.end();
  };
  return (word == JointWord::hips || word == JointWord::spine || word == JointWord::chest) &&
         has(JointWord::head) && has(JointWord::thigh);
}

/// The furthest descendant of a joint; prefers marked ends.
int furthest_below(const Shape& shape, int joint) {
  int best = joint;
  std::pair<bool, double> most{false, 0.0};
  std::vector<int> open{joint};
  while (!open.empty()) {
    const int j = open.back();
    open.pop_back();
    const JointWord word = shape.word(j);
    if (j != joint && (word == JointWord::helper || word == JointWord::face)) continue;
    const std::pair<bool, double> own{word == JointWord::end,
                                      (shape.at(j) - shape.at(joint)).norm()};
    if (own > most) {
      most = own;
      best = j;
    }
    for (const int child : shape.children[j]) open.push_back(child);
  }
  return best;
}

/// A head is at least as high as the joints of its ears and hair.
Vector3d head_top(const Shape& shape, int head) {
  Vector3d top = shape.at(head) + Vector3d(0, 0.12, 0) * shape.size;
  std::vector<int> open{head};
  while (!open.empty()) {
    const int j = open.back();
    open.pop_back();
    top.y() = std::max(top.y(), shape.at(j).y());
    for (const int child : shape.children[j]) open.push_back(child);
  }
  return top;
}

/// Estimates the part of the body beyond its last joint from bone lengths.
Vector3d estimated_tip(const Shape& shape, const TemplateLimb& limb, int last) {
  const int end = limb.joints.back();
  const int parent = shape.joints[end].parent;
  const Vector3d bone = parent >= 0 ? Vector3d(shape.at(end) - shape.at(parent)) : Vector3d::Zero();
  const JointWord word = shape.word(end);
  if (word == JointWord::head) return head_top(shape, end);
  if (last != end) {
    const Vector3d beyond = shape.at(last) - shape.at(end);
    // From a forearm without a hand it reaches to a fingertip.
    const bool is_finger = word == JointWord::forearm && shape.word(last) != JointWord::end;
    const double share = word == JointWord::hand ? 0.3 : is_finger ? 0.1 : 0.5;
    return shape.at(last) + share * beyond;
  }
  if (word == JointWord::foot) return shape.at(end) + bone.norm() * Vector3d(0, -0.15, 0.4);
  return shape.at(end) + (word == JointWord::hand ? 0.7 : 0.5) * bone;
}

std::size_t limb_root(const Shape& shape, const TemplateLimb& limb) {
  const std::vector<int>& chain = limb.joints;
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (shape.word(chain[i]) == JointWord::upper_arm || shape.word(chain[i]) == JointWord::thigh)
      return i;
  if (limb.is_axial) return 0;
  double longest = 0.0;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    longest = std::max(longest, (shape.at(chain[i + 1]) - shape.at(chain[i])).norm());
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    if ((shape.at(chain[i + 1]) - shape.at(chain[i])).norm() >= least_share * longest) return i;
  return 0;
}

TemplateLimb limb_of(const Shape& shape, int end, double middle) {
  TemplateLimb limb;
  for (int j = end; j >= 0; j = shape.joints[j].parent) {
    const int parent = shape.joints[j].parent;
    if (parent < 0 || (j != end && shape.kept_children(j).size() > 1)) break;
    limb.joints.insert(limb.joints.begin(), j);
  }
  if (limb.joints.empty()) return limb;
  // A single toe continues the foot.
  for (int j = end;;) {
    const std::vector<int>& below = shape.children[j];
    const auto toe =
        std::ranges::find_if(below, [&](int child) { return shape.word(child) == JointWord::toe; });
    if (toe == below.end() || std::ranges::count_if(below, [&](int child) {
                                return shape.word(child) == JointWord::toe;
                              }) != 1)
      break;
    limb.joints.push_back(j = *toe);
  }
  limb.is_axial = std::ranges::all_of(limb.joints, [&](int j) {
    return std::abs(shape.at(j).x() - middle) < 2.0 * middle_reach * shape.size;
  });
  limb.is_head = limb.is_axial && std::ranges::any_of(limb.joints, [&](int j) {
                   return shape.word(j) == JointWord::neck || shape.word(j) == JointWord::head;
                 });
  const int last = furthest_below(shape, limb.joints.back());
  limb.tip = shape.word(last) == JointWord::end ? shape.at(last) : estimated_tip(shape, limb, last);
  limb.root = limb_root(shape, limb);
  return limb;
}

/// Whether names tell head, arms and legs.
bool has_human_limbs(const RigTemplate& made) {
  int heads = 0, arms = 0, legs = 0;
  for (const TemplateLimb& limb : made.limbs) {
    heads += limb.is_head;
    arms += made.words[limb.joints[limb.root]] == JointWord::upper_arm;
    legs += made.words[limb.joints[limb.root]] == JointWord::thigh;
  }
  return heads == 1 && arms == 2 && legs == 2;
}

/// Beside head, arms and legs, limbs without any name are clothes and props, and joints that are no
/// part of a limb may be controls far from the body.
void keep_human_limbs(RigTemplate& made) {
  std::erase_if(made.limbs, [&](const TemplateLimb& limb) {
    return std::ranges::all_of(limb.joints, [&](int j) {
      return made.words[j] == JointWord::none || made.words[j] == JointWord::helper;
    });
  });
  made.low = made.high = made.limbs.front().tip;
  for (const TemplateLimb& limb : made.limbs)
    for (const int j : limb.joints) {
      made.low = made.low.cwiseMin(made.joints[j].position);
      made.high = made.high.cwiseMax(made.joints[j].position);
    }
}

void pair_limbs(RigTemplate& made) {
  for (std::size_t a = 0; a < made.limbs.size(); ++a)
    for (std::size_t b = 0; b < made.limbs.size(); ++b) {
      const int partner = made.mirror_joints[made.limbs[a].joints[made.limbs[a].root]];
      if (a != b && partner == made.limbs[b].joints[made.limbs[b].root])
        made.limbs[a].mirror_limb = static_cast<int>(b);
    }
}

}  // namespace

const Vector3d& limb_position(const RigTemplate& rig, const TemplateLimb& limb, std::size_t i) {
  return i < limb.joints.size() ? rig.joints[limb.joints[i]].position : limb.tip;
}

double limb_length(const RigTemplate& rig, const TemplateLimb& limb, std::size_t i) {
  double length = 0.0;
  for (; i < limb.joints.size(); ++i)
    length += (limb_position(rig, limb, i + 1) - limb_position(rig, limb, i)).norm();
  return length;
}

RigTemplate analyzed_template(std::span<const Joint> given) {
  check_joints(given);
  RigTemplate made;
  made.joints.assign(given.begin(), given.end());
  attach_limb_ends(made);
  const std::vector<Joint>& joints = made.joints;
  Shape shape;
  shape.joints = joints;
  shape.words = made.words;
  shape.children.resize(joints.size());
  made.low = made.high = joints[0].position;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent >= 0) shape.children[joints[j].parent].push_back(static_cast<int>(j));
    made.low = made.low.cwiseMin(joints[j].position);
    made.high = made.high.cwiseMax(joints[j].position);
  }
  shape.size = made.size();
  if (!(shape.size > 0.0)) refuse("has all joints at one place");
  made.middle = find_middle(joints, shape.size);
  made.mirror_joints = find_mirror_joints(joints, made.middle, shape.size);
  find_kept(shape);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (shape.kept[j] && shape.kept_children(static_cast<int>(j)).empty() &&
        !ends_inside(shape, static_cast<int>(j)))
      if (TemplateLimb limb = limb_of(shape, static_cast<int>(j), made.middle);
          !limb.joints.empty())
        made.limbs.push_back(std::move(limb));
  if (has_human_limbs(made)) keep_human_limbs(made);
  pair_limbs(made);
  if (made.limbs.empty()) refuse("has no limb, so nothing says where it belongs");
  for (const TemplateLimb& limb : made.limbs) {
    made.low = made.low.cwiseMin(limb.tip);
    made.high = made.high.cwiseMax(limb.tip);
  }
  return made;
}

}  // namespace gvbind::rig
