#include "rig/rig_character.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gvbind/error.h"
#include "rig/given_joints.h"
#include "rig/leg_middle.h"
#include "rig/orientation.h"
#include "rig/place_joints.h"
#include "rig/plausibility.h"

namespace gvbind::rig {

namespace {

constexpr double symmetric_body = 0.8;   // fraction of the deep cells
constexpr double symmetric_pose = 0.05;  // mean deviation of mirror joints, relative to the size
// Relative to the cost of the assignment: margin of a reliable tip.
constexpr double sure_margin = 0.5;
// Of the confidence of a plausible human: kept by a joint outside, or with an unsure tip.
constexpr double unsure_share = 0.75;
constexpr double given_confidence = 0.95;  // measured, see docs/measurements/rig.md

// Other ways to place a human are tried below this plausibility. The first keeps its place unless
// the logarithm of the odds grows by more than this, and by the cost of the other's tips. Chosen on
// bodies of one half of the authors, see docs/measurements/rig.md.
constexpr double plausible = 0.5, least_gain = 0.5;
constexpr double replaced_plausibility = 0.35;              // the share of these that are right
constexpr std::size_t most_others = 600, most_tried = 120;  // assignments, skeletons
// Of the cells of the largest group: fewer others are not looked at.
constexpr double other_body_share = 0.4;
// Relative to the size: how far limbs stick out, and corners of things do not.
constexpr double limb_protrusion = 0.1;
// Relative to the size: how far the tips of twin limbs may be from mirror images.
constexpr double twin_distance = 0.06;

Eigen::AlignedBox3d box_of(const MeshView& mesh) {
  Eigen::AlignedBox3d box;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) box.extend(mesh.positions[v]);
  return box;
}

/// Places joints with hints; by joint, whether it has one.
std::vector<bool> apply_hints(const RigTemplate& rig, const MeshView& mesh, const BodyVolume& body,
                              const RigOptions& options, JointPlaces& places) {
  std::vector<bool> fixed(rig.joints.size(), false);
  if (options.hints.empty()) return fixed;
  const Eigen::AlignedBox3d box = box_of(mesh);
  for (const JointHint& hint : options.hints) {
    const auto found = std::ranges::find(rig.joints, hint.name, &Joint::name);
    if (found == rig.joints.end())
      throw Error(ErrorKind::usage, "no joint of the template is named '" + hint.name + "'");
    const auto joint = static_cast<std::size_t>(found - rig.joints.begin());
    places[joint] = body.from_bind(
        hint.of_box ? Eigen::Vector3d(box.min() + hint.position.cwiseProduct(box.sizes()))
                    : hint.position);
    fixed[joint] = true;
  }
  return fixed;
}

/// By limb, 0 to 1: how much worse another tip would be; 0 without a tip.
std::vector<double> margins_of(const RigTemplate& rig, const TipAssignment& assignment) {
  std::vector<double> margins;
  for (std::size_t l = 0; l < rig.limbs.size(); ++l)
    margins.push_back(
        assignment.tips[l] < 0 ? 0.0 : std::clamp(assignment.margins[l] / sure_margin, 0.0, 1.0));
  return margins;
}

std::vector<double> confidence_of(const RigTemplate& rig, const BodyVolume& body,
                                  const std::vector<double>& margins,
                                  const std::vector<Eigen::Vector3d>& places,
                                  std::optional<double> plausibility) {
  std::vector<double> sure(rig.joints.size(), -1.0);
  double sum = 0.0;
  for (std::size_t l = 0; l < rig.limbs.size(); ++l) {
    // A body of plausible proportions has the right tips, whatever others would cost.
    const double own =
        !plausibility ? margins[l] : *plausibility * std::lerp(unsure_share, 1.0, margins[l]);
    sum += own;
    for (const int j : rig.limbs[l].joints) sure[j] = own;
  }
  for (std::size_t j = 0; j < sure.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (sure[j] < 0.0)
      sure[j] = parent >= 0 ? sure[parent] : sum / static_cast<double>(rig.limbs.size());
    if (body.find(places[j]) == no_cell) sure[j] *= plausibility ? unsure_share : 0.5;
  }
  return sure;
}

/// A body, with everything that all ways to place a skeleton share.
struct Placing {
  const MeshView& mesh;
  const RigTemplate& rig;
  const BodyVolume& body;
  const RigOptions& options;
  SymmetryPlane plane;
  BodyTips tips;
  bool symmetric = false;
};

struct Placed {
  std::vector<Eigen::Vector3d> places;
  std::vector<bool> fixed;
  bool is_mirrored = false;
  std::optional<double> plausibility;  ///< with the least margin of a tip, if that is known
};

Placed placed(const Placing& p, const TipAssignment& assignment, const NeckOptions& neck,
              double least_margin) {
  Placed made;
  JointPlaces limbs = place_limbs(p.rig, p.body, p.tips, assignment, p.plane, neck);
  made.fixed = apply_hints(p.rig, p.mesh, p.body, p.options, limbs);
  made.places = place_all(p.rig, p.body, assignment, p.tips, p.symmetric, limbs);
  made.is_mirrored =
      p.symmetric && mirror_error(p.rig, p.plane, made.places) < symmetric_pose * p.body.size();
  move_inside(p.rig, p.body, made.fixed, made.places);
  if (made.is_mirrored) {
    mirror_places(p.rig, p.plane, made.fixed, made.places);
    move_pairs_inside(p.rig, p.body, p.plane, made.fixed, made.places);
  }
  made.plausibility = human_plausibility(p.rig, p.body, made.places, least_margin);
  return made;
}

double log_odds(double probability) {
  const double p = std::clamp(probability, 1e-9, 1.0 - 1e-9);
  return std::log(p / (1.0 - p));
}

bool has_twins(const Placing& p, const TipAssignment& assignment) {
  for (std::size_t l = 0; l < p.rig.limbs.size(); ++l) {
    const int twin = p.rig.limbs[l].mirror_limb;
    if (twin < 0) continue;
    const int one = assignment.tips[l], other = assignment.tips[static_cast<std::size_t>(twin)];
    if (one < 0 && other < 0) continue;
    if (one < 0 || other < 0) return false;
    const Eigen::Vector3d image =
        p.plane.mirrored(p.tips.tips[static_cast<std::size_t>(one)].place);
    if ((image - p.tips.tips[static_cast<std::size_t>(other)].place).norm() >
        twin_distance * p.body.size())
      return false;
  }
  return true;
}

/// How far the hands stick out of the body, the smaller of both; 0 if one has no tip.
double hands_protrusion(const Placing& p, const TipAssignment& assignment) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < p.rig.limbs.size(); ++l) {
    const TemplateLimb& limb = p.rig.limbs[l];
    if (p.rig.words[limb.joints[limb.root]] != JointWord::upper_arm) continue;
    const int tip = assignment.tips[l];
    least = std::min(least, tip < 0 ? 0.0 : p.tips.tips[static_cast<std::size_t>(tip)].protrusion);
  }
  return least;
}

/// Ears, hair and tools can look more like hands and heads than these do, by where they are. Where
/// the skeleton is no plausible human, others are placed whole, and the most plausible is taken.
/// Its hands must stick out at least as far: where the head is large, ears can be as plausible as
/// arms, but they are shorter.
void try_others(const Placing& p, TipAssignment& assignment, Placed& best) {
  if (!best.plausibility || *best.plausibility >= plausible) return;
  const double first_cost = assignment.cost, first_hands = hands_protrusion(p, assignment);
  double most = log_odds(*best.plausibility) + least_gain;
  std::size_t tried = 0;
  for (const TipAssignment& other : cheapest_assignments(p.rig, p.tips, p.plane, most_others)) {
    if (!has_twins(p, other) || hands_protrusion(p, other) < first_hands) continue;
    if (++tried > most_tried / 2) break;
    for (const NeckOptions& neck : {NeckOptions{}, NeckOptions{.reach = 0.0}}) {
      Placed made = placed(p, other, neck, 0.0);
      if (!made.plausibility) continue;
      const double value = log_odds(*made.plausibility) - (other.cost - first_cost);
      if (value <= most) continue;
      most = value;
      // The best of many looks better than it is.
      made.plausibility = std::min(*made.plausibility, replaced_plausibility);
      best = std::move(made);
      assignment.tips = other.tips;
      assignment.cost = other.cost;
    }
  }
}

std::size_t count_limbs(const BodyVolume& body) {
  return find_tips(body, {.least_protrusion = limb_protrusion}).tips.size();
}

/// A thing that stands beside the body, such as a hammer as tall as its owner, may be larger. Limbs
/// tell which is the body.
BodyVolume body_with_most_limbs(const MeshView& mesh, int resolution) {
  BodyVolume largest = body_volume(mesh, {.resolution = resolution});
  if (static_cast<double>(largest.dropped) <
      other_body_share * static_cast<double>(largest.cells.size()))
    return largest;
  BodyVolume next = body_volume(mesh, {.resolution = resolution, .group = 1});
  return count_limbs(next) > count_limbs(largest) ? next : largest;
}

/// A skeleton that needs no placing.
RiggedCharacter as_given(const GivenPlaces& given, const RigTemplate& rig, RiggedCharacter made) {
  made.is_given = true;
  made.is_mirrored = false;
  made.is_calibrated = true;
  made.bones = given.bones;
  made.joints.resize(given.places.size());
  for (std::size_t j = 0; j < given.places.size(); ++j)
    made.joints[rig.sources[j]] = {given.places[j], given_confidence};
  return made;
}

}  // namespace

RiggedCharacter rig_character(const MeshView& mesh, std::span<const Joint> skeleton,
                              const RigOptions& options) {
  RiggedCharacter made;
  const RigTemplate rig = analyzed_template(skeleton);
  BodyVolume body = body_with_most_limbs(mesh, options.resolution);
  const std::optional<GivenPlaces> given =
      options.hints.empty() ? best_given(rig, body, options.given) : std::nullopt;
  if (options.orient != OrientRule::given) {
    OrientationOptions known;
    known.up_is_known = options.orient == OrientRule::upright;
    if (options.face) known.face_place = body.from_bind(*options.face);
    made.turn = best_orientation(rig, body, known);
    if (!made.turn.isIdentity())
      body = body_volume(
          mesh, {.resolution = options.resolution, .group = body.group, .turn = made.turn});
  }
  Placing p{mesh, rig, body, options, find_symmetry_plane(body), find_tips(body)};
  p.symmetric = options.mirror == MirrorRule::automatic && p.plane.share >= symmetric_body;
  if (p.symmetric) add_mirrored_tips(body, p.plane, p.tips);
  TipAssignment assignment = assign_tips(rig, p.tips, p.plane);
  if (auto lower = tips_to_legs(rig, body, p.tips, assignment)) {
    p.tips = std::move(*lower);
    if (p.symmetric) add_mirrored_tips(body, p.plane, p.tips);
    assignment = assign_tips(rig, p.tips, p.plane);
  }
  const std::vector<double> margins = margins_of(rig, assignment);
  Placed best = placed(p, assignment, {}, *std::ranges::min_element(margins));
  try_others(p, assignment, best);
  made.symmetry = p.plane.share;
  made.is_mirrored = best.is_mirrored;
  const std::vector<Eigen::Vector3d>& places = best.places;
  const std::vector<bool>& fixed = best.fixed;
  const std::optional<double> plausibility = best.plausibility;
  made.bones = bones_in_body(rig.joints, body, places);
  if (const auto taken = taken_places(given, rig, body, places, made.bones))
    return as_given(*taken, rig, made);
  const std::vector<double> sure = confidence_of(rig, body, margins, places, plausibility);
  made.is_calibrated = plausibility.has_value();
  made.limb_cost = assignment.cost / static_cast<double>(rig.limbs.size());
  made.joints.resize(places.size());
  for (std::size_t j = 0; j < places.size(); ++j)
    made.joints[rig.sources[j]] = {body.to_bind(places[j]), fixed[j] ? 1.0 : sure[j]};
  return made;
}

}  // namespace gvbind::rig
