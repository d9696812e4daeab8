#include "rig/rig_character.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gvbind/error.h"
#include "rig/orientation.h"
#include "rig/place_joints.h"
#include "rig/plausibility.h"

namespace gvbind {

namespace {

constexpr double symmetric_body = 0.8;   // fraction of the deep cells
constexpr double symmetric_pose = 0.05;  // mean deviation of mirror joints, relative to the size
// Relative to the cost of the assignment: margin of a reliable tip.
constexpr double sure_margin = 0.5;
// Of the confidence of a plausible human: kept by a joint outside, or with an unsure tip.
constexpr double unsure_share = 0.75;

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

}  // namespace

RiggedCharacter rig_character(const MeshView& mesh, std::span<const Joint> skeleton,
                              const RigOptions& options) {
  RiggedCharacter made;
  const RigTemplate rig = analyzed_template(skeleton);
  BodyVolume body = body_volume(mesh, {.resolution = options.resolution});
  if (options.orient != OrientRule::given)
    if (const Eigen::Matrix3d turn =
            best_orientation(rig, body, {.up_is_known = options.orient == OrientRule::upright});
        !turn.isIdentity()) {
      body = body_volume(mesh, {.resolution = options.resolution, .turn = turn});
      made.turn = turn;
    }
  const SymmetryPlane plane = find_symmetry_plane(body);
  BodyTips tips = find_tips(body);
  const bool symmetric = options.mirror == MirrorRule::automatic && plane.share >= symmetric_body;
  if (symmetric) add_mirrored_tips(body, plane, tips);
  const TipAssignment assignment = assign_tips(rig, tips, plane);
  JointPlaces limbs = place_limbs(rig, body, tips, assignment, plane);
  const std::vector<bool> fixed = apply_hints(rig, mesh, body, options, limbs);
  std::vector<Eigen::Vector3d> places = place_all(rig, body, assignment, tips, symmetric, limbs);
  made.symmetry = plane.share;
  made.is_mirrored = symmetric && mirror_error(rig, plane, places) < symmetric_pose * body.size();
  move_inside(rig, body, fixed, places);
  if (made.is_mirrored) {
    mirror_places(rig, plane, fixed, places);
    move_pairs_inside(rig, body, plane, fixed, places);
  }
  const std::vector<double> margins = margins_of(rig, assignment);
  const std::optional<double> plausibility =
      human_plausibility(rig, body, places, *std::ranges::min_element(margins));
  const std::vector<double> sure = confidence_of(rig, body, margins, places, plausibility);
  made.is_calibrated = plausibility.has_value();
  made.joints.resize(places.size());
  for (std::size_t j = 0; j < places.size(); ++j)
    made.joints[rig.sources[j]] = {body.to_bind(places[j]), fixed[j] ? 1.0 : sure[j]};
  return made;
}

}  // namespace gvbind
