#include "rig/feet.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "rig/builtin_templates.h"
#include "rig/orientation.h"
#include "rig/rig_character.h"
#include "support/shapes.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;
using test::Shape;

void add_box(Shape& shape, const Vector3d& low, const Vector3d& high) {
  shape.append(test::box(low, high));
}

/// A trunk on four legs, symmetric front to back except for its paws, which point forward.
Shape body_on_paws() {
  Shape shape = test::box({-0.151, 0.402, -0.503}, {0.152, 0.653, 0.504});
  for (const double z : {-0.45, 0.35})
    for (const double x : {-0.15, 0.05}) {
      add_box(shape, {x, 0.003, z}, {x + 0.1, 0.43, z + 0.1});
      add_box(shape, {x, 0.003, z}, {x + 0.1, 0.053, z + 0.17});
    }
  return shape;
}

/// With the same beam at both ends. `trunk`: adds something in the middle that reaches the ground
/// and points backward there.
Shape table(bool trunk) {
  Shape shape = body_on_paws();
  for (const double z : {-0.803, 0.453}) add_box(shape, {-0.06, 0.55, z}, {0.06, 0.62, z + 0.35});
  if (trunk) {
    add_box(shape, {-0.04, 0.003, 0.7}, {0.04, 0.6, 0.8});
    add_box(shape, {-0.04, 0.003, 0.6}, {0.04, 0.053, 0.75});
  }
  return shape;
}

/// With a neck, a head and a thin tail.
Shape animal() {
  Shape shape = body_on_paws();
  add_box(shape, {-0.06, 0.5, 0.42}, {0.06, 0.95, 0.55});
  add_box(shape, {-0.08, 0.82, 0.43}, {0.08, 0.98, 0.78});
  add_box(shape, {-0.03, 0.57, -0.9}, {0.03, 0.63, -0.45});
  return shape;
}

rig::BodyVolume volume_of(const Shape& mesh) {
  return rig::body_volume({mesh.positions, mesh.triangles}, {.resolution = 64});
}

rig::FeetSummary feet_of(const rig::BodyVolume& body, const Eigen::Vector3i& up) {
  return rig::combined_feet(rig::find_feet(body, up), rig::find_symmetry_plane(body), body.size());
}

rig::RigTemplate template_of(const char* kind) {
  return rig::analyzed_template(rig::builtin_template(kind).value());
}

Shape turned(Shape mesh, const Eigen::Matrix3d& by) {
  for (Vector3d& p : mesh.positions) p = by * p;
  return mesh;
}

std::vector<Eigen::Matrix3d> some_turns() {
  const Eigen::Matrix3d x = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix(),
                        y = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix();
  std::vector<Eigen::Matrix3d> turns = {x, x.transpose(), y, y.transpose(), y * y, x * y, x * x};
  for (Eigen::Matrix3d& turn : turns) turn = turn.array().round().matrix().eval();
  return turns;
}

}  // namespace

TEST_CASE("templates stand on legs whose feet point to the front") {
  for (const auto& [kind, feet] :
       {std::pair("biped", 2), std::pair("quadruped", 4), std::pair("bird", 2)}) {
    const rig::FeetSummary summary = rig::template_feet(template_of(kind));
    CHECK(summary.feet == feet);
    CHECK(summary.forward.z() > 0.03);
    CHECK(std::abs(summary.forward.x()) < 1e-9);
  }
  for (const char* kind : {"fish", "hand", "spider"})
    CHECK(rig::template_feet(template_of(kind)).feet == 0);
}

TEST_CASE("a body stands on feet that point where its paws do, on one side only") {
  const rig::BodyVolume body = volume_of(table(false));
  const rig::FeetSummary summary = feet_of(body, {0, 1, 0});
  CHECK(summary.feet == 4);
  CHECK(summary.forward.z() > 0.01);
  CHECK(std::abs(summary.forward.x()) < 0.002);
  CHECK(summary.forward.y() == 0.0);
  CHECK(feet_of(body, {0, -1, 0}).feet < 2);
  const Shape mesh = table(false);
  const rig::BodyVolume over = rig::body_volume({mesh.positions, mesh.triangles},
                                                {.resolution = 64, .turn = some_turns()[6]});
  const rig::FeetSummary other = feet_of(over, {0, -1, 0});
  CHECK(other.feet == 4);
  CHECK(other.forward.z() == Approx(-summary.forward.z()));
}

TEST_CASE("a trunk on the ground between the sides is no foot") {
  const rig::FeetSummary without = feet_of(volume_of(table(false)), {0, 1, 0}),
                         with = feet_of(volume_of(table(true)), {0, 1, 0});
  CHECK(with.feet == 4);
  CHECK(with.forward.z() == Approx(without.forward.z()).margin(0.005));
}

TEST_CASE("feet tell front from back where nothing else does") {
  const rig::RigTemplate rig = template_of("quadruped");
  const rig::BodyVolume body = volume_of(table(false));
  const auto cost_of = [&](const rig::OrientationOptions& options, double front) {
    for (const rig::OrientedCost& one : rig::orientation_costs(rig, body, options))
      if (one.turn(1, 1) == 1.0 && one.turn(2, 2) == front) return one.cost;
    return -1.0;
  };
  CHECK(cost_of({}, 1.0) + 0.5 < cost_of({}, -1.0));
  CHECK(std::abs(cost_of({.forward = 0.0}, 1.0) - cost_of({.forward = 0.0}, -1.0)) < 0.5);
}

TEST_CASE("a human that is deeper than wide costs more, an animal does not") {
  Shape figure = test::box({-0.26, 0.0, -0.07}, {0.26, 0.8, 0.07});
  add_box(figure, {-0.15, 0.78, -0.13}, {0.15, 1.1, 0.13});
  const rig::BodyVolume body = volume_of(figure);
  const auto added = [&](const char* kind) {
    const rig::RigTemplate rig = template_of(kind);
    const auto with = rig::orientation_costs(rig, body, {.broad = 1.0}),
               without = rig::orientation_costs(rig, body, {.broad = 0.0});
    double front = 0.0, side = 0.0;
    for (std::size_t i = 0; i < with.size(); ++i)
      if (with[i].turn(1, 1) == 1.0)
        (with[i].turn(0, 0) != 0.0 ? front : side) += (with[i].cost - without[i].cost) / 2.0;
    return std::pair(front, side);
  };
  CHECK(added("biped").first == 0.0);
  CHECK(added("biped").second == Approx(std::log(0.52 / 0.26)).margin(0.1));
  CHECK(added("quadruped") == std::pair(0.0, 0.0));
}

TEST_CASE("an animal turned by right angles, or about, gets the same skeleton") {
  const Shape mesh = animal();
  const std::vector<Joint> joints = rig::builtin_template("quadruped").value();
  const rig::RiggedCharacter made = rig::rig_character({mesh.positions, mesh.triangles}, joints);
  CHECK(made.turn.isIdentity());
  for (const Eigen::Matrix3d& turn : some_turns()) {
    const Shape other = turned(mesh, turn);
    const rig::RiggedCharacter again =
        rig::rig_character({other.positions, other.triangles}, joints);
    CHECK((again.turn * turn).isIdentity());
    for (std::size_t j = 0; j < joints.size(); ++j)
      if (joints[j].deforms)
        CHECK((turn * made.joints[j].position - again.joints[j].position).norm() < 0.02);
  }
}

}  // namespace gvbind
