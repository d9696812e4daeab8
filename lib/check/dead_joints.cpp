#include "check/dead_joints.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "gvbind/base/joint_keys.h"
#include "gvbind/base/utf8.h"

namespace gvbind::check {

namespace {

/// Lower-case words: split at characters that are not letters, and at capitals after lower-case
/// letters.
std::set<std::string> words_of(std::string_view name) {
  std::set<std::string> words;
  std::string word;
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const char c = i < name.size() ? name[i] : ' ';
    const bool starts = is_capital(c) && i > 0 && is_small(name[i - 1]);
    if (starts || !(is_small(c) || is_capital(c))) {
      words.insert(lower_case(word));
      word.clear();
    }
    if (is_small(c) || is_capital(c)) word += c;
  }
  return words;
}

/// Words in names of joints that should not have weight.
constexpr std::array unweighted_words = {
    "end",    "nub",    "tip",  "top",        "leaf",    "effector", "ik",     "fk",      "pole",
    "target", "twist",  "roll", "ctrl",       "control", "helper",   "mch",    "org",     "weapon",
    "prop",   "socket", "slot", "controller", "attach",  "holder",   "master", "handslot"};

/// Tolerance for equal distances: a joint at the end of its parent's bone is as near as that bone.
constexpr double as_near = 1.0 + 1e-5;

/// Joints without weight that can have surface around them.
struct Candidates {
  std::vector<std::uint8_t> marked;  ///< by joint
  std::vector<std::uint8_t> leaf;    ///< without children
  std::vector<std::uint8_t> link;    ///< above joints with weight

  Candidates(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
             const std::vector<std::size_t>& idle)
      : marked(joints.size(), 0), leaf(joints.size(), 1), link(joints.size(), 0) {
    std::vector<std::uint8_t> owns(joints.size(), 0), below(joints.size(), 0);
    for (const std::uint32_t joint : surface.weights.joint) owns[joint] = 1;
    for (std::size_t j = 0; j < joints.size(); ++j)
      if (joints[j].parent >= 0) {
        const auto above = static_cast<std::size_t>(joints[j].parent);
        below[j] = owns[above] || below[above];
      }
    for (std::size_t j = joints.size(); j-- > 0;)
      if (joints[j].parent >= 0) {
        const auto above = static_cast<std::size_t>(joints[j].parent);
        leaf[above] = 0;
        link[above] = link[above] || link[j] || owns[j];
      }
    const bool marks_deforming = std::ranges::count_if(joints, is_called_deforming,
                                                       &SceneJoint::name) >= min_called_deforming;
    // A joint above all joints with weight, usually on the floor, moves the body as a whole.
    for (const std::size_t j : idle)
      marked[j] = below[j] && !is_unweighted_name(joints[j].name) &&
                  (!marks_deforming || is_called_deforming(joints[j].name));
  }
};

/// Collects the surface around joints, vertex by vertex.
class Surfaces {
 public:
  explicit Surfaces(std::size_t joint_count) : dead_(joint_count), followers_(joint_count) {
    for (std::uint32_t j = 0; j < joint_count; ++j) dead_[j].joint = j;
  }

  void add(std::uint32_t joint, std::uint32_t follows, double area) {
    ++dead_[joint].vertices;
    dead_[joint].region += area;
    if (follows != no_joint) followers_[joint][follows] += area;
  }

  /// By falling region, converted to a fraction of the total area.
  std::vector<DeadJoint> take(const SkinSurface& surface) {
    double whole = 0.0;
    for (const double area : surface.area) whole += area;
    std::vector<DeadJoint> found;
    for (DeadJoint& dead : dead_) {
      const auto& followers = followers_[dead.joint];
      if (followers.empty() || !(whole > 0.0)) continue;
      dead.taken_by = std::ranges::max_element(followers, {}, [](const auto& one) {
                        return one.second;
                      })->first;
      dead.region /= whole;
      found.push_back(dead);
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &DeadJoint::region);
    return found;
  }

 private:
  std::vector<DeadJoint> dead_;
  std::vector<std::map<std::uint32_t, double>> followers_;
};

}  // namespace

bool is_unweighted_name(std::string_view name) {
  const std::set<std::string> words = words_of(name);
  return std::ranges::any_of(unweighted_words,
                             [&](const char* word) { return words.contains(word); });
}

std::vector<DeadJoint> find_dead_joints(const SkinSurface& surface,
                                        const std::vector<SceneJoint>& joints,
                                        const std::vector<std::size_t>& idle,
                                        const SkeletonGeometry& skeleton,
                                        const NearestBones& nearest,
                                        const DeadJointOptions& options) {
  const Candidates candidates(surface, joints, idle);
  if (std::ranges::count(candidates.marked, 0) == std::ssize(joints)) return {};
  const NearestBones about = find_nearest_bones(surface, skeleton, candidates.marked);
  Surfaces surfaces(joints.size());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const std::uint32_t j = about.joint[v];
    if (j == no_joint || nearest.joint[v] == no_joint) continue;
    const double live = nearest.distance[v];
    const double to_joint =
        (surface.positions[v] - skeleton.bones(j).front().from).norm() / surface.size;
    if (about.distance[v] < options.nearer * live ||
        (candidates.leaf[j] && to_joint <= as_near * live))
      surfaces.add(j, surface.dominant[v], surface.area[v]);
  }
  std::vector<DeadJoint> dead = surfaces.take(surface);
  std::erase_if(dead, [&](const DeadJoint& one) {
    return one.region < (candidates.link[one.joint] ? options.link_region : options.region);
  });
  return dead;
}

std::vector<DeadJoint> find_lost_joints(const SkinWeights& before, const SkinSurface& now,
                                        std::size_t joint_count,
                                        const std::vector<std::size_t>& idle) {
  std::vector<std::uint8_t> is_idle(joint_count, 0), moved(joint_count, 0);
  for (const std::size_t j : idle) is_idle[j] = 1;
  Surfaces surfaces(joint_count);
  for (std::size_t v = 0; v < before.vertex_count(); ++v)
    for (std::size_t k = before.first[v]; k < before.first[v + 1]; ++k) {
      const std::uint32_t j = before.joint[k];
      if (!is_idle[j]) continue;
      surfaces.add(j, now.dominant[v], static_cast<double>(before.weight[k]) * now.area[v]);
      if (k == before.first[v]) moved[j] = 1;
    }
  std::vector<DeadJoint> lost = surfaces.take(now);
  std::erase_if(lost, [&](const DeadJoint& one) { return !moved[one.joint]; });
  return lost;
}

Finding dead_joint_finding(const std::vector<SceneJoint>& joints, const DeadJoint& dead,
                           bool moved_before) {
  const std::string vertices = counted(dead.vertices, "vertex", "vertices");
  const std::string& name = joints[dead.joint].name;
  return {Severity::warning, "dead-joint",
          "joint '" + name + "' " +
              (moved_before ? "moved " + vertices + " with the input's weights and moves none now"
                            : "moves nothing, with " + vertices + " about it") +
              ": most of them follow '" + joints[dead.taken_by].name + "'",
          name};
}

}  // namespace gvbind::check
