#include "vrm/spring_values.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "retarget/bodies.h"

using namespace gvbind;
using Eigen::Vector3d;

namespace {

/// A body with hair down its back, and rings of vertices around bones.
struct Figure {
  std::vector<bodies::Part> parts = bodies::t_pose();
  retarget::RestSkeleton skeleton;
  retarget::BodyRoles roles;
  vrm::JointVertices vertices;
  vrm::HangingChain hair{vrm::HangKind::hair, {}, false};

  explicit Figure(double height = 1.6) {
    const double scale = height / 1.6;
    int parent = 4;
    for (const char* name : {"hair_1", "hair_2", "hair_3"}) {
      const Vector3d at = parent == 4 ? Vector3d(0, 1.6, -0.12) : parts[parent].place;
      parts.push_back({name, parent, at + Vector3d(0, -0.1, parent == 4 ? 0.0 : -0.01)});
      parent = static_cast<int>(parts.size()) - 1;
      hair.nodes.push_back(parent);
    }
    for (bodies::Part& part : parts) part.place *= scale;
    const NodeScene scene =
        bodies::scene_of(parts, [](std::size_t) { return Eigen::Quaterniond::Identity(); });
    skeleton = retarget::node_pose_skeleton(scene);
    roles = retarget::body_roles(skeleton);
    vertices.owned.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (int child = 0; child < static_cast<int>(parts.size()); ++child)
        if (parts[child].parent == static_cast<int>(i))
          ring(static_cast<int>(i), parts[i].place, parts[child].place, 0.08 * scale);
    ring(4, {0, 1.5 * scale, 0}, {0, 1.7 * scale, 0}, 0.1 * scale);
    for (const int node : hair.nodes) vertices.owned[node].clear();
    ring(hair.nodes[0], parts[hair.nodes[0]].place, parts[hair.nodes[1]].place, 0.02 * scale);
    ring(hair.nodes[2], parts[hair.nodes[2]].place,
         parts[hair.nodes[2]].place + scale * Vector3d(0, -0.1, -0.01), 0.02 * scale);
  }

  /// Vertices around a bone, at this distance.
  void ring(int node, const Vector3d& from, const Vector3d& to, double radius) {
    const Vector3d along = (to - from).normalized(), side = along.unitOrthogonal();
    const Vector3d other = along.cross(side);
    for (int k = 0; k < 32; ++k) {
      const double t = (0.5 + k) / 32.0, angle = 2.4 * k;
      vertices.owned[node].push_back(from + t * (to - from) + radius * std::cos(angle) * side +
                                     radius * std::sin(angle) * other);
    }
  }
};

}  // namespace

TEST_CASE("springs grow softer toward the tip, where gravity pulls", "[vrm]") {
  const Figure figure;
  const vrm::Spring spring = vrm::spring_of(figure.hair, figure.skeleton, figure.vertices, 1.6);
  REQUIRE(spring.joints.size() == 3);
  CHECK(spring.joints[0].stiffness == Approx(1.0));
  CHECK(spring.joints[1].stiffness == Approx(0.75));
  CHECK(spring.joints[2].stiffness == Approx(0.5));
  CHECK(spring.joints[0].gravity == 0.0);
  CHECK(spring.joints[2].gravity > 0.05);
  CHECK(spring.joints[2].gravity < 0.2);
  CHECK(spring.joints[0].hit_radius == Approx(0.02).margin(1e-6));
  CHECK(spring.joints[1].hit_radius == 0.0);
}

TEST_CASE("the last joint ends where its vertices do", "[vrm]") {
  Figure figure;
  const vrm::Spring spring = vrm::spring_of(figure.hair, figure.skeleton, figure.vertices, 1.6);
  const Vector3d last = figure.skeleton.world.positions[figure.hair.nodes[2]];
  REQUIRE(spring.needs_tip_node);
  CHECK((spring.tip - last).norm() == Approx(0.1).epsilon(0.1));
  CHECK((spring.tip - last).normalized().y() == Approx(-1.0).margin(0.01));

  figure.hair.has_tip = true;
  const vrm::Spring marked = vrm::spring_of(figure.hair, figure.skeleton, figure.vertices, 1.6);
  CHECK_FALSE(marked.needs_tip_node);
  CHECK(marked.joints.size() == 3);
}

TEST_CASE("what points up is not pulled down, and forces grow with the body", "[vrm]") {
  const Figure figure, giant(16.0);
  vrm::HangingChain ear{vrm::HangKind::ear, {3, 4}, true};  // from neck to head
  const vrm::Spring up = vrm::spring_of(ear, figure.skeleton, figure.vertices, 1.6);
  for (const vrm::SpringJoint& joint : up.joints) CHECK(joint.gravity == 0.0);
  const vrm::Spring large = vrm::spring_of(giant.hair, giant.skeleton, giant.vertices, 16.0);
  CHECK(large.joints[0].stiffness == Approx(10.0));
  CHECK(large.joints[2].gravity > 0.5);
}

TEST_CASE("gravity turns no joint far from its rest", "[vrm]") {
  Figure figure;
  for (const double angle : {0.0, 0.3, 1.0, 1.5}) {
    for (int j = 0; j < 3; ++j)
      figure.skeleton.world.positions[figure.hair.nodes[j]] =
          Vector3d(0, 1.6 - 0.1 * j * std::cos(angle), -0.2 - 0.1 * j * std::sin(angle));
    const vrm::Spring spring = vrm::spring_of(figure.hair, figure.skeleton, figure.vertices, 1.6);
    const vrm::SpringJoint& joint = spring.joints[1];
    CHECK(joint.gravity * std::sin(angle) <= 0.0176 * joint.stiffness);
    CHECK(joint.gravity > 0.0);
    if (angle == 0.0) CHECK(joint.gravity == Approx(0.1));
  }
}

TEST_CASE("joints on one spot make no bone", "[vrm]") {
  Figure figure;
  figure.skeleton.world.positions[figure.hair.nodes[1]] =
      figure.skeleton.world.positions[figure.hair.nodes[0]];
  const vrm::Spring spring = vrm::spring_of(figure.hair, figure.skeleton, figure.vertices, 1.6);
  REQUIRE(spring.joints.size() == 2);
  CHECK(spring.joints[1].node == figure.hair.nodes[2]);
}

TEST_CASE("colliders have the size of the body", "[vrm]") {
  const Figure figure;
  const std::vector<vrm::BodyCollider> colliders =
      vrm::body_colliders(figure.skeleton, figure.roles, figure.vertices);
  std::vector<std::string> parts;
  for (const vrm::BodyCollider& collider : colliders) {
    parts.push_back(collider.part);
    INFO(collider.part);
    CHECK(collider.is_sphere() == (collider.part == "head"));
    if (!collider.is_sphere() && collider.part != "chest" && collider.part != "hips")
      CHECK(collider.radius == Approx(0.08).margin(1e-6));
  }
  CHECK(parts == std::vector<std::string>{"head", "hips", "chest", "upper_arm.L", "forearm.L",
                                          "thigh.L", "shin.L", "upper_arm.R", "forearm.R",
                                          "thigh.R", "shin.R"});
}

TEST_CASE("no collider touches a spring at rest", "[vrm]") {
  const Figure figure;
  std::vector<vrm::BodyCollider> colliders =
      vrm::body_colliders(figure.skeleton, figure.roles, figure.vertices);
  const std::vector<vrm::BodyCollider> measured = colliders;
  std::vector<vrm::Spring> springs = {
      vrm::spring_of(figure.hair, figure.skeleton, figure.vertices, 1.6)};
  vrm::match_colliders(springs, colliders, figure.skeleton);
  REQUIRE_FALSE(springs[0].colliders.empty());
  CHECK(springs[0].colliders[0] == 0);  // the head
  for (const std::size_t c : springs[0].colliders) {
    CHECK(colliders[c].radius <= measured[c].radius);
    CHECK(colliders[c].radius >= 0.6 * measured[c].radius);
    for (std::size_t j = 0; j < 3; ++j) {
      const Vector3d tail =
          j == 2 ? springs[0].tip : figure.skeleton.world.positions[figure.hair.nodes[j + 1]];
      CHECK(colliders[c].distance(tail) >=
            colliders[c].radius + springs[0].joints[j].hit_radius - 1e-12);
    }
  }
  for (std::size_t c = 0; c < colliders.size(); ++c)
    if (colliders[c].part == "shin.L")
      CHECK(std::ranges::find(springs[0].colliders, c) == springs[0].colliders.end());
}
