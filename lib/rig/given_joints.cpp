#include "rig/given_joints.h"

#include <utility>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

/// By how much given joints may be worse than placed ones: `flesh` as a factor, `inside` as a
/// difference.
struct Allowance {
  double flesh, inside;
};

// Chosen on one half of the authors and judged on the other, see docs/measurements/rig.md. Artists
// leave some joints near the surface, where placing moves them inside.
constexpr Allowance as_it_is{1.06, 0.1}, moved{1.0, 0.0};

bool is_as_good(const BonesInBody& one, const BonesInBody& other, const Allowance& allowed) {
  return one.flesh <= allowed.flesh * other.flesh && one.inside >= other.inside - allowed.inside;
}

/// The template's joints by the scale and translation of least squares; voxels.
std::vector<Vector3d> moved_onto(const RigTemplate& rig, const std::vector<Vector3d>& placed) {
  const auto count = static_cast<double>(placed.size());
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();
  for (std::size_t j = 0; j < placed.size(); ++j) {
    from += rig.joints[j].position / count;
    to += placed[j] / count;
  }
  double both = 0.0, own = 0.0;
  for (std::size_t j = 0; j < placed.size(); ++j) {
    both += (rig.joints[j].position - from).dot(placed[j] - to);
    own += (rig.joints[j].position - from).squaredNorm();
  }
  std::vector<Vector3d> made;
  for (const Joint& joint : rig.joints)
    made.push_back(to + (own > 0.0 ? both / own : 0.0) * (joint.position - from));
  return made;
}

}  // namespace

std::optional<GivenPlaces> best_given(const RigTemplate& rig, const BodyVolume& body,
                                      std::span<const std::vector<Vector3d>> given) {
  std::optional<GivenPlaces> best;
  for (const std::vector<Vector3d>& one : given) {
    GivenPlaces made;
    std::vector<Vector3d> in_body;
    for (const std::size_t source : rig.sources) {
      made.places.push_back(one[source]);
      in_body.push_back(body.from_bind(one[source]));
    }
    made.bones = bones_in_body(rig.joints, body, in_body);
    if (!best || made.bones.flesh < best->bones.flesh) best = std::move(made);
  }
  return best;
}

std::optional<GivenPlaces> taken_places(const std::optional<GivenPlaces>& given,
                                        const RigTemplate& rig, const BodyVolume& body,
                                        const std::vector<Vector3d>& placed,
                                        const BonesInBody& bones) {
  if (!given) return std::nullopt;
  if (is_as_good(given->bones, bones, as_it_is)) return given;
  GivenPlaces made;
  made.places = moved_onto(rig, placed);
  made.bones = bones_in_body(rig.joints, body, made.places);
  if (!is_as_good(made.bones, bones, moved)) return std::nullopt;
  for (Vector3d& place : made.places) place = body.to_bind(place);
  return made;
}

}  // namespace gvbind::rig
