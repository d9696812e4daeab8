// Takes skeletons away and finds them again: see docs/measurements/rig.md.
//
//   rig_found_again own|TEMPLATE[:STYLE] SEED FILE...
//
// With a style (stylized.h) the body gets other proportions first; with the style `attached` meshes
// that hang from a joint, without weights, belong to it.
//
// Bipeds are compared by names; quadrupeds by the names of hips and head, by how far the artist's
// neck lies from ours (necks have as many joints as their rigger liked), and by the places of their
// feet; the others by the distance to the nearest bone, which tells little. A joint counts as
// outside of the body where the artist's is inside.
//
// Not compared: skeletons that mostly lie outside of their mesh, whose bind pose is not that of the
// mesh, and upright bodies among quadrupeds.
//
// A line for each file: the mean and the largest distance of joints to where they were, of the
// size of the body, and of how many joints; then one line for each joint.

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/error.h"
#include "rig/body_volume.h"
#include "rig/builtin_templates.h"
#include "rig/human_joints.h"
#include "rig/joint_words.h"
#include "rig/rig_character.h"
#include "rig/skeleton_words.h"
#include "rig_body.h"
#include "skinned_body.h"
#include "stylized.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;

// Of the height: a joint of the artist's above it is no foot, and one of ours no wrist.
constexpr double highest_foot = 0.15, highest_wrist = 0.25;

using research::Body;
using research::body_of;
using research::changed;

struct Compared {
  std::string name;
  Vector3d was, found;
  double confidence;
};

/// From tail to head by the places of hips and head, level; zero where names do not tell them.
Vector3d body_axis(const std::vector<Joint>& joints) {
  const auto named = [&](const char* role) {
    return std::ranges::find_if(joints,
                                [&](const Joint& j) { return rig::joint_role(j.name) == role; });
  };
  const auto hips = named("hips"), head = named("head");
  if (hips == joints.end() || head == joints.end()) return Vector3d::Zero();
  Vector3d axis = head->position - hips->position;
  axis.y() = 0.0;
  return axis.normalized();
}

/// 1 for a joint that its name or one above it calls a front leg, -1 for a hind leg, else 0.
int named_leg(const std::vector<Joint>& joints, std::size_t joint) {
  for (int j = static_cast<int>(joint); j >= 0; j = joints[static_cast<std::size_t>(j)].parent) {
    std::string name = joints[static_cast<std::size_t>(j)].name;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("hind") || (has("rear") && !has("forearm")) || has("backleg") || has("backfoot"))
      return -1;
    if (has("frontleg") || has("frontfoot") || has("foreleg")) return 1;
  }
  return 0;
}

/// The lowest joint of each quarter (left or right, front or hind, by name or else about the middle
/// of all); -1 for none.
std::array<int, 4> lowest_joints(const std::vector<Joint>& joints, const std::vector<bool>& counts,
                                 double highest) {
  Eigen::Matrix3d turn;
  const Vector3d front = body_axis(joints);
  turn << Vector3d::UnitY().cross(front).transpose(), Vector3d::UnitY().transpose(),
      front.transpose();
  Eigen::AlignedBox3d box;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (counts[j]) box.extend(turn * joints[j].position);
  std::array<int, 4> lowest{-1, -1, -1, -1};
  const double most = box.min().y() + highest * box.sizes().y();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Vector3d at = turn * joints[j].position;
    if (!counts[j] || at.y() > most) continue;
    // Tails and roots are in the middle, feet beside it.
    if (std::abs(at.x() - box.center().x()) < 0.02 * box.sizes().maxCoeff()) continue;
    const int leg = named_leg(joints, j);
    const bool is_hind = leg == 0 ? at.z() < box.center().z() : leg < 0;
    int& own = lowest[(at.x() < box.center().x() ? 1u : 0u) + (is_hind ? 2u : 0u)];
    if (own < 0 || at.y() < joints[static_cast<std::size_t>(own)].position.y())
      own = static_cast<int>(j);
  }
  return lowest;
}

/// Feet of an animal by where they are, as names do not tell front from hind legs.
std::vector<Compared> compare_feet(const Body& body, const std::vector<Joint>& skeleton,
                                   const rig::RiggedCharacter& rigged) {
  if (body_axis(body.joints).isZero()) return {};
  std::vector<bool> all;
  for (const Joint& joint : skeleton) all.push_back(joint.deforms);
  const std::array<int, 4> own = lowest_joints(body.joints, body.weighted, highest_foot);
  const std::array<int, 4> ours = lowest_joints(skeleton, all, highest_wrist);
  std::vector<Compared> pairs;
  for (std::size_t q = 0; q < 4; ++q) {
    if (own[q] < 0 || ours[q] < 0) continue;
    const auto j = static_cast<std::size_t>(ours[q]);
    pairs.push_back({skeleton[j].name, body.joints[static_cast<std::size_t>(own[q])].position,
                     rigged.joints[j].position, rigged.joints[j].confidence});
  }
  return pairs;
}

Vector3d nearest_on_bone(const Vector3d& from, const Vector3d& to, const Vector3d& place) {
  const double squared = (to - from).squaredNorm();
  const double t =
      squared > 0.0 ? std::clamp((place - from).dot(to - from) / squared, 0.0, 1.0) : 0.0;
  return from + t * (to - from);
}

/// The nearest place on bones that have weights: whether a joint lies in some limb at all.
Vector3d nearest_on_bones(const Body& body, const Vector3d& place) {
  Vector3d best = Vector3d::Constant(1e30);
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    if (!body.weighted[j]) continue;
    const Vector3d to = body.joints[j].position;
    const int parent = body.joints[j].parent;
    const bool is_bone = parent >= 0 && body.weighted[static_cast<std::size_t>(parent)];
    const Vector3d at = nearest_on_bone(
        is_bone ? body.joints[static_cast<std::size_t>(parent)].position : to, to, place);
    if ((at - place).norm() < (best - place).norm()) best = at;
  }
  return best;
}

/// The artist's neck and the place nearest to it between our neck's first joint and our head.
Compared compare_neck(const Vector3d& was, const std::vector<Joint>& skeleton,
                      const rig::RiggedCharacter& rigged) {
  Compared pair{"neck", was, Vector3d::Constant(1e30), 0.0};
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (skeleton[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(skeleton[j].parent);
    if (rig::joint_word(skeleton[parent].name) != rig::JointWord::neck) continue;
    const Vector3d at =
        nearest_on_bone(rigged.joints[parent].position, rigged.joints[j].position, was);
    if ((at - was).norm() < (pair.found - was).norm()) pair.found = at;
    pair.confidence = rigged.joints[j].confidence;
  }
  return pair;
}

std::vector<Compared> compare_bones(const Body& body, const std::vector<Joint>& skeleton,
                                    const rig::RiggedCharacter& rigged) {
  std::vector<Compared> pairs;
  for (std::size_t j = 0; j < skeleton.size(); ++j)
    if (skeleton[j].deforms)
      pairs.push_back({skeleton[j].name, nearest_on_bones(body, rigged.joints[j].position),
                       rigged.joints[j].position, rigged.joints[j].confidence});
  return pairs;
}

std::vector<Compared> compare(const Body& body, const std::string& kind, unsigned seed) {
  const bool own = kind == "own";
  const std::vector<Joint> skeleton =
      own ? changed(body.joints, seed) : rig::builtin_template(kind).value();
  rig::RigOptions options;
  if (body.stands) options.orient = rig::OrientRule::upright;
  options.face = body.face;
  const rig::RiggedCharacter rigged =
      rig::rig_character({body.positions, body.triangles}, skeleton, options);
  const std::vector<std::string> own_roles = rig::skeleton_roles(body.joints);
  const std::vector<std::string> our_roles = rig::skeleton_roles(skeleton);
  std::vector<Compared> pairs;
  std::map<std::string, std::size_t> roles;
  if (kind == "bird" || kind == "fish" || kind == "hand" || kind == "spider")
    return compare_bones(body, skeleton, rigged);
  for (std::size_t j = 0; j < body.joints.size(); ++j)
    if (body.weighted[j]) roles.emplace(own_roles[j], j);
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    std::size_t was = j;
    if (own && !body.weighted[j]) continue;
    if (!own) {
      const std::string& role = our_roles[j];
      const auto found = roles.find(role);
      // Spines have as many joints as their rigger liked.
      if (role.empty() || role == "spine" || role == "chest" || role == "tail" ||
          found == roles.end())
        continue;
      was = found->second;
      roles.erase(found);
    }
    // Of animals only the middle: their legs' names do not tell front from hind.
    if (kind == "quadruped" && rig::joint_side(skeleton[j].name) != 0) continue;
    if (kind == "quadruped" && rig::joint_word(skeleton[j].name) == rig::JointWord::neck) {
      pairs.push_back(compare_neck(body.joints[was].position, skeleton, rigged));
      continue;
    }
    pairs.push_back({skeleton[j].name, body.joints[was].position, rigged.joints[j].position,
                     rigged.joints[j].confidence});
  }
  if (kind == "quadruped")
    for (Compared& foot : compare_feet(body, skeleton, rigged)) pairs.push_back(std::move(foot));
  return pairs;
}

/// Why a body says nothing about a kind of template, or null.
template <class Outside>
const char* not_compared(const Body& body, const std::string& kind, const Outside& lies_outside) {
  std::size_t outside = 0, all = 0;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    if (!body.weighted[j]) continue;
    ++all;
    outside += lies_outside(body.joints[j].position);
  }
  if (2 * outside > all) return "its own skeleton lies outside";
  if (kind == "quadruped" && rig::is_human(rig::analyzed_template(body.joints)))
    return "stands upright";
  return nullptr;
}

Body body_in_style(const std::string& file, const std::string& style) {
  const bool with_attached = style == "attached";
  test::SkinnedBody skinned = test::skinned_body(file, with_attached);
  const bool stands = research::turn_upright(skinned);
  if (!style.empty() && !with_attached)
    research::stylize(research::body_styles().at(style), skinned);
  return body_of(std::move(skinned), stands);
}

/// `what`: a kind, or a kind and a style of body_styles(): "biped:chibi".
void run_file(const std::string& file, const std::string& what, unsigned seed) {
  const std::string kind = what.substr(0, what.find(':'));
  const Body body = body_in_style(file, kind == what ? "" : what.substr(kind.size() + 1));
  if (body.joints.empty() || body.positions.empty()) {
    std::printf("FILE\t%s\tno skin\n", file.c_str());
    return;
  }
  const rig::BodyVolume volume = rig::body_volume({body.positions, body.triangles});
  const auto lies_outside = [&](const Vector3d& place) {
    return volume.find(volume.from_bind(place)) == rig::no_cell;
  };
  if (const char* why = not_compared(body, kind, lies_outside)) {
    std::printf("FILE\t%s\t%s\n", file.c_str(), why);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Compared> pairs = compare(body, kind, seed);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  double sum = 0.0, most = 0.0;
  std::size_t outside = 0;
  std::string worst;
  for (const Compared& pair : pairs) {
    const double off = (pair.was - pair.found).norm() / body.size;
    sum += off;
    outside += lies_outside(pair.found) && !lies_outside(pair.was);
    if (off > most) {
      most = off;
      worst = pair.name;
    }
  }
  std::printf("FILE\t%s\t%.4f\t%.4f\t%zu\t%zu\t%s\t%.2f s\n", file.c_str(),
              sum / std::max<double>(1.0, static_cast<double>(pairs.size())), most, pairs.size(),
              outside, worst.c_str(), time.count());
  for (const Compared& p : pairs)
    std::printf("JOINT\t%s\t%.4f\t%g %g %g\t%g %g %g\t%.2f\n", p.name.c_str(),
                (p.was - p.found).norm() / body.size, p.was.x(), p.was.y(), p.was.z(), p.found.x(),
                p.found.y(), p.found.z(), p.confidence);
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: rig_found_again own|TEMPLATE SEED FILE...\n");
    return 2;
  }
  for (int i = 3; i < count; ++i) {
    try {
      gvbind::run_file(arguments[i], arguments[1],
                       static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)));
    } catch (const std::exception& error) {
      std::printf("FILE\t%s\terror: %s\n", arguments[i], error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
