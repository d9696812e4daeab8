#include "vrm/spring_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gvbind/base/segment.h"

namespace gvbind::vrm {
namespace {

using Eigen::Vector3d;

/// At the first and at the last joint of a chain.
struct Stiffness {
  double first, last, drag;
};

Stiffness stiffness_of(HangKind kind) {
  switch (kind) {
    case HangKind::hair:
      return {1.0, 0.5, 0.4};
    case HangKind::skirt:
      return {1.2, 0.6, 0.5};
    case HangKind::tail:
      return {1.4, 0.7, 0.3};
    case HangKind::ear:
      return {1.8, 1.4, 0.5};
    case HangKind::other:
      break;
  }
  return {1.0, 0.6, 0.4};
}

constexpr double most_gravity = 0.2, usual_height = 1.6;

/// Grows toward the tip. Bones that point up get none, and others no more than turns them from
/// their rest by about a degree: the rest pose is how the artist wants them to hang.
double gravity_of(const Vector3d& bone, double depth, double stiffness) {
  constexpr double most_sag = 0.0175;
  const Vector3d direction = bone.normalized();
  if (direction.y() >= 0.0) return 0.0;
  const double across = std::hypot(direction.x(), direction.z());
  return std::min(most_gravity * depth, most_sag * stiffness / std::max(across, 1e-6));
}

/// Where the last joint ends: as far out as its vertices, in the direction that the chain has, or
/// of a single joint toward their middle.
Vector3d open_end(const std::vector<Vector3d>& places, const std::vector<Vector3d>& vertices) {
  const Vector3d& last = places.back();
  Vector3d direction = Vector3d::Zero();
  double before = 0.0;
  if (places.size() > 1) {
    direction = last - places[places.size() - 2];
    before = direction.norm();
  } else {
    for (const Vector3d& point : vertices) direction += point - last;
  }
  if (direction.norm() < 1e-9) return last;
  direction.normalize();
  double length = 0.0;
  for (const Vector3d& point : vertices) length = std::max(length, (point - last).dot(direction));
  constexpr double least = 0.25;  // of the bone before, where vertices end at the joint
  return last + std::max(length, least * before) * direction;
}

/// Half of the thickness of the strand around a bone: the median distance of its vertices.
double thickness(const Vector3d& from, const Vector3d& to, const std::vector<Vector3d>& vertices) {
  if (vertices.empty()) return 0.0;
  std::vector<double> distances;
  for (const Vector3d& point : vertices) {
    const double t = closest_parameter(from, to - from, point);
    distances.push_back((from + t * (to - from) - point).norm());
  }
  const auto half = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, half);
  return *half;
}

/// The nodes of a chain without those that lie on the one before: a bone needs a length.
std::vector<int> spread_nodes(const HangingChain& chain, const retarget::RestSkeleton& skeleton,
                              double least) {
  std::vector<int> out;
  for (const int node : chain.nodes)
    if (out.empty() ||
        (skeleton.world.positions[node] - skeleton.world.positions[out.back()]).norm() > least)
      out.push_back(node);
  return out;
}

/// The tails of a spring's joints at rest.
std::vector<Vector3d> tails_of(const Spring& spring, const retarget::RestSkeleton& skeleton) {
  std::vector<Vector3d> out;
  for (std::size_t j = 1; j < spring.joints.size(); ++j)
    out.push_back(skeleton.world.positions[spring.joints[j].node]);
  if (spring.needs_tip_node) out.push_back(spring.tip);
  return out;
}

/// The largest radius with which the collider does not touch the spring at rest.
double free_radius(const Spring& spring, const std::vector<Vector3d>& tails,
                   const BodyCollider& collider) {
  double least = std::numeric_limits<double>::max();
  for (std::size_t j = 0; j < tails.size(); ++j)
    least = std::min(least, collider.distance(tails[j]) - spring.joints[j].hit_radius);
  return least;
}

/// Whether the spring can meet the collider: limbs may turn toward it by their own length.
bool can_reach(const Spring& spring, const std::vector<Vector3d>& tails,
               const retarget::RestSkeleton& skeleton, const BodyCollider& collider) {
  Vector3d from = skeleton.world.positions[spring.joints.front().node];
  const double distance = collider.distance(from);
  double length = 0.0;
  for (const Vector3d& tail : tails) {
    length += (tail - from).norm();
    from = tail;
  }
  return distance < length + collider.radius + (collider.tail - collider.center).norm();
}

}  // namespace

Spring spring_of(const HangingChain& chain, const retarget::RestSkeleton& skeleton,
                 const JointVertices& vertices, double height) {
  Spring spring;
  spring.kind = chain.kind;
  const std::vector<int> nodes = spread_nodes(chain, skeleton, 1e-5 * height);
  std::vector<Vector3d> places;
  for (const int node : nodes) places.push_back(skeleton.world.positions[node]);
  // A tip that lies on the last joint is not among the nodes.
  spring.needs_tip_node = !chain.has_tip || nodes.size() < 2 || nodes.back() != chain.nodes.back();
  spring.tip =
      spring.needs_tip_node ? open_end(places, vertices.owned[nodes.back()]) : places.back();
  if (spring.needs_tip_node) {
    if ((spring.tip - places.back()).norm() > 1e-5 * height)
      places.push_back(spring.tip);
    else
      spring.needs_tip_node = false;  // the last joint is the tip
  }
  if (places.size() < 2) return spring;
  const Stiffness kind = stiffness_of(chain.kind);
  const double scale = height / usual_height;
  const std::size_t bones = places.size() - 1;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    SpringJoint joint;
    joint.node = nodes[j];
    if (j < bones) {
      const double depth =
          bones > 1 ? static_cast<double>(j) / static_cast<double>(bones - 1) : 0.0;
      const Vector3d bone = places[j + 1] - places[j];
      const double stiffness = kind.first + depth * (kind.last - kind.first);
      joint.stiffness = scale * stiffness;
      joint.gravity = scale * gravity_of(bone, depth, stiffness);
      joint.drag = kind.drag;
      joint.hit_radius = std::min(thickness(places[j], places[j + 1], vertices.owned[nodes[j]]),
                                  0.5 * bone.norm());
    }
    spring.joints.push_back(joint);
  }
  return spring;
}

void match_colliders(std::vector<Spring>& springs, std::vector<BodyCollider>& colliders,
                     const retarget::RestSkeleton& skeleton) {
  constexpr double least_share = 0.6;
  std::vector<double> radii;
  for (const BodyCollider& collider : colliders) radii.push_back(collider.radius);
  for (Spring& spring : springs) {
    const std::vector<Vector3d> tails = tails_of(spring, skeleton);
    for (std::size_t c = 0; c < colliders.size(); ++c) {
      const double free = free_radius(spring, tails, colliders[c]);
      if (free < least_share * colliders[c].radius ||
          !can_reach(spring, tails, skeleton, colliders[c]))
        continue;
      spring.colliders.push_back(c);
      radii[c] = std::min(radii[c], free);
    }
  }
  for (std::size_t c = 0; c < colliders.size(); ++c) colliders[c].radius = radii[c];
}

}  // namespace gvbind::vrm
